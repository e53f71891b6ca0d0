import { commandGroup } from '../command/group.ts'

export const execute = commandGroup(
  'team',
  'A ledger that several people and machines share, in PostgreSQL.',
  [
    {
      name: 'init',
      summary: 'make the team ledger in a database, or bring it up to date',
      load: () => import('./team-init.ts'),
    },
    {
      name: 'join',
      summary: 'send what this ledger holds to a team from now on',
      load: () => import('./team-join.ts'),
    },
    {
      name: 'leave',
      summary: 'send nothing more; what was sent stays with the team',
      load: () => import('./team-leave.ts'),
    },
    {
      name: 'status',
      summary: 'what waits to be sent, who sends, and how large it is',
      load: () => import('./team-status.ts'),
    },
    {
      name: 'retention',
      summary: 'how long the team keeps records and samples',
      load: () => import('./team-retention.ts'),
    },
  ],
)
