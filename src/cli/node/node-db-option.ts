import type { OptionTable } from '../command/define.ts'

/** For commands on jobs, whose --db is the ledger. */
export const nodeDbOption = {
  'node-db': {
    type: 'string',
    value: 'PATH',
    example: 'node.db',
    says: 'the database of the agent, for jobs that it saw, instead of $JOBMETER_NODE_DB or the default one',
  },
} as const satisfies OptionTable
