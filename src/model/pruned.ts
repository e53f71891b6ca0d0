import type { IdleWorkflow } from './idle-workflow.ts'

/** What was deleted of a ledger because it was old, or would be. */
export interface Pruned {
  /** Single commands. */
  readonly commands: {
    readonly attempts: number
    readonly samples: number
    /** About so much of the file. */
    readonly bytes: number
  }
  readonly workflows: readonly IdleWorkflow[]
}
