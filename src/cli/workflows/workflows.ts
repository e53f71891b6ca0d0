import { commandGroup } from '../command/group.ts'

export const execute = commandGroup(
  'workflows',
  'Workflows in the ledger: created from a file, run by `jobmeter run-jobs ID`.',
  [
    {
      name: 'create-from-spec',
      summary: 'store a workflow file in the ledger',
      load: () => import('./workflows-create.ts'),
    },
    {
      name: 'plan',
      summary: 'what a workflow file would do',
      load: () => import('./workflows-plan.ts'),
    },
    { name: 'list', summary: 'all workflows', load: () => import('./workflows-list.ts') },
    {
      name: 'show',
      summary: 'everything about one workflow',
      load: () => import('./workflows-show.ts'),
    },
    {
      name: 'status',
      summary: 'the state of its jobs and who runs it',
      load: () => import('./workflows-status.ts'),
    },
    { name: 'cancel', summary: 'stop it', load: () => import('./workflows-cancel.ts') },
    {
      name: 'reset',
      summary: 'set its jobs back to waiting, to run them again',
      load: () => import('./workflows-reset.ts'),
    },
    {
      name: 'delete',
      summary: 'delete it with all its results',
      load: () => import('./workflows-delete.ts'),
    },
  ],
)
