import type { AttemptStatus } from './outcome.ts'

/** What sums over all attempts are made of. */
export interface CountedAttempt {
  /** Grows with each attempt that the ledger gets, whenever that ran. */
  readonly attemptId: number
  readonly user: string
  readonly name: string
  readonly status: AttemptStatus
  /** Seconds since 1970. */
  readonly startedAt: number
  /** These are null where they were not measured, and as long as it runs. */
  readonly durationSeconds: number | null
  readonly cpuSeconds: number | null
  readonly memoryPeakBytes: number | null
}

/** Some attempts, in the order of their ids. */
export interface CountedAttempts {
  readonly attempts: readonly CountedAttempt[]
  /** The id of the last one that was looked at; that one may be damaged, and left out. */
  readonly lastId: number
  readonly isMore: boolean
}
