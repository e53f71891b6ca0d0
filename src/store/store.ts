import type { Job } from '../model/job.ts'
import type { Machine, Owner } from '../model/machine.ts'
import type { AttemptStatus, Outcome } from '../model/outcome.ts'
import type { JobRecord, SamplingFacts } from '../model/record.ts'
import type { SampleRow } from '../model/sample.ts'
import type { Usage } from '../model/usage.ts'

/**
 * The ledger: what ran, how it ended, what it used, and the samples of it. Every engine that keeps
 * one passes `test/contracts/store.ts`.
 */
export interface Store {
  /** Writes an attempt down before it runs, so that a killed runner leaves a trace. */
  begin(start: AttemptStart): AttemptRef
  /** Keeps samples of a running attempt: `count` rows of `sampleWidth` numbers each. */
  addSamples(attempt: AttemptRef, rows: Float64Array, count: number): void
  /** Writes the end. One transaction: it is there whole or not at all. */
  finish(attempt: AttemptRef, end: AttemptEnd): void
  /**
   * Takes over an attempt that was written down elsewhere, as far as it is not here yet. Done again, with the same or with
   * what has been added since, it does no harm.
   */
  adopt(attempt: SpooledAttempt): AttemptRef
  /** Records, newest first. One that waits outside the ledger has no number yet. */
  find(query: RecordQuery): JobRecord[]
  /** Records whose task id starts so, newest first. */
  findByPrefix(prefix: string): JobRecord[]
  /** The samples of one attempt, in order of time. */
  samples(taskId: string): SampleRow[]
  /** Attempts still marked as running. */
  running(): RunningAttempt[]
  /** Marks a running attempt whose owner is dead. Answers false if it was no longer running. */
  interrupt(taskId: string, reason: string): boolean
  /** Deletes finished attempts that started before then, with their samples. */
  prune(startedBefore: number): PruneResult
  close(): void
}

export interface AttemptStart {
  readonly job: Job
  readonly taskId: string
  readonly user: string
  readonly machine: Machine
  readonly owner: Owner
  readonly startedAt: number
  readonly intervalSeconds: number | null
}

export interface AttemptRef {
  readonly taskId: string
  readonly jobId: number
  readonly attemptId: number
}

export interface AttemptEnd {
  readonly endedAt: number
  readonly durationSeconds: number
  readonly outcome: Outcome
  readonly usage: Usage
  readonly samples: SamplingFacts
}

/** An attempt with all that was written of it so far, outside the ledger. */
export interface SpooledAttempt {
  readonly start: AttemptStart
  /** How many of its samples are in the ledger already, and not among the rows; without it: none. */
  readonly samplesBefore?: number
  /** `count` rows of `sampleWidth` numbers each. */
  readonly rows: Float64Array
  readonly count: number
  /** null while it runs, or where its runner died. */
  readonly end: AttemptEnd | null
}

export interface RecordQuery {
  readonly limit?: number
  readonly tool?: string
  readonly status?: AttemptStatus
  readonly startedSince?: number
}

export interface RunningAttempt {
  readonly taskId: string
  readonly owner: Owner
}

export interface PruneResult {
  readonly attempts: number
  readonly samples: number
}
