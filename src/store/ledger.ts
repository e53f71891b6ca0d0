import type { Store } from './store.ts'
import type { WorkflowStore } from './workflow-store.ts'

/** Both parts of a ledger, on one connection. */
export interface Ledger {
  readonly jobs: Store
  readonly workflows: WorkflowStore
  /** Everything that is written in the course of it is kept whole or not at all; a batch inside a batch joins it. */
  batch<T>(work: () => T): T
  close(): void
}
