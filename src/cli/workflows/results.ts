import { commandGroup } from '../command/group.ts'

export const execute = commandGroup('results', "The results of a workflow's jobs.", [
  {
    name: 'list',
    summary: 'how each job ended and what it used',
    load: () => import('./results-list.ts'),
  },
])
