import { commandGroup } from '../command/group.ts'

export const execute = commandGroup(
  'policies',
  'Says what is fair on a node, and tries it on what the agent has seen.',
  [
    {
      name: 'list',
      summary: 'all policies, and whether they are switched on',
      load: () => import('./policies-list.ts'),
    },
    {
      name: 'explain',
      summary: 'what one policy judges, and why',
      load: () => import('./policies-explain.ts'),
    },
    {
      name: 'test',
      summary: 'what policies would have found in the past',
      load: () => import('./policies-test.ts'),
    },
    {
      name: 'judge',
      summary: 'judge imported hosts, and keep what is found for hogs',
      load: () => import('./policies-judge.ts'),
    },
  ],
)
