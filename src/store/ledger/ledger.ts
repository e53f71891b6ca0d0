import type { LockWait } from '../sqlite/lock-wait.ts'
import type { BenchmarkStore } from './benchmark-store.ts'
import type { Store } from './store.ts'
import type { WorkflowStore } from './workflow-store.ts'

/** The parts of a ledger, on one connection. */
export interface Ledger {
  readonly path: string
  readonly jobs: Store
  readonly workflows: WorkflowStore
  readonly benchmarks: BenchmarkStore
  /**
   * Puts all that `work` writes into one transaction: it is there whole or not at all, and costs one
   * commit. A call that fails inside leaves no trace of its own; one that is not caught undoes all.
   */
  batch<T>(work: () => T): T
  /** The same, but a call that fails inside undoes all, caught or not: each call is then cheaper. */
  batchAsOne<T>(work: () => T): T
  waitForLocks(lockWait: LockWait): void
  /** A runner of many jobs syncs the disk less often; kill -9 still loses nothing. */
  expectManyWrites(): void
  /** Who answers many questions keeps what lists are searched by in memory: 12 MB for 100,000 jobs. */
  expectManyQuestions(): void
  /** Whether the file still stands under its name: somebody may have removed it, or put another there. */
  isInPlace(): boolean
  /** Whether the file is still of the version of this build: a newer jobmeter may have upgraded it. */
  isOfThisVersion(): boolean
  /** Writes all that it holds to a new file, under its own name where that is free; answers the path. */
  rescue(): string
  close(): void
}
