import type { WorkflowHead } from './workflow-head.ts'

/** A workflow that nobody has run for long, and what goes with it. */
export interface IdleWorkflow extends Pick<
  WorkflowHead,
  'workflowId' | 'name' | 'leasedBy' | 'createdAt'
> {
  /** When it was created, or anything of it last began or ended. */
  readonly lastActiveAt: number
  readonly jobs: number
  readonly attempts: number
  readonly samples: number
  /** About so much of the file. */
  readonly bytes: number
  /** Where its runs wrote to, which is not part of the ledger. */
  readonly outputDirectories: readonly string[]
}
