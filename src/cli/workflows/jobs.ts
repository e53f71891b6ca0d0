import { commandGroup } from '../command/group.ts'

export const execute = commandGroup('jobs', 'The jobs of a workflow.', [
  {
    name: 'list',
    summary: 'the jobs of a workflow and their states',
    load: () => import('./jobs-list.ts'),
  },
])
