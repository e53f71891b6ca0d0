import { commandGroup } from '../command/group.ts'

export const execute = commandGroup(
  'alerts',
  'Says when something is wrong with a job: rules, channels, and what was told.',
  [
    {
      name: 'list',
      summary: 'what fires now, or what ever fired',
      load: () => import('./alerts-list.ts'),
    },
    {
      name: 'acknowledge',
      summary: 'note that you have seen an alert, so that it is not told again',
      load: () => import('./alerts-acknowledge.ts'),
    },
    {
      name: 'rules',
      summary: 'the rules that apply, and the names that they can use',
      load: () => import('./alerts-rules.ts'),
    },
    {
      name: 'test',
      summary: 'send a test alert by a channel',
      load: () => import('./alerts-test.ts'),
    },
    {
      name: 'deliver',
      summary: 'deliver what is still queued',
      load: () => import('./alerts-deliver.ts'),
    },
  ],
)
