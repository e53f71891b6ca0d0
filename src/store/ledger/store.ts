import type { Columns, DeviceRows } from '../../model/series.ts'
import type { BriefKey, BriefRecord } from '../../model/brief-record.ts'
import type { Job } from '../../model/job.ts'
import type { Machine, Owner } from '../../model/machine.ts'
import type { OutcomeTally } from '../../model/outcome-tally.ts'
import type { AttemptStatus, Outcome } from '../../model/outcome.ts'
import type { JobRecord, SamplingFacts } from '../../model/record.ts'
import type { Usage } from '../../model/usage.ts'
import type { SeriesReader, SeriesWriter } from '../series/series.ts'

/**
 * The ledger: what ran, how it ended, what it used, and the samples of it. Every engine that keeps
 * one passes `test/contracts/store.ts`.
 */
export interface Store {
  /** Writes an attempt down before it runs, so that a killed runner leaves a trace. */
  begin(start: AttemptStart): AttemptRef
  /** Keeps samples of a running attempt; of other columns than this build has where it names them. */
  writer(attempt: AttemptRef, columns?: Columns): SeriesWriter
  /** Writes the end. One transaction: it is there whole or not at all. */
  finish(attempt: AttemptRef, end: AttemptEnd): void
  /**
   * Takes over an attempt that was written down elsewhere, as far as it is not here yet. Done again, with the same or with
   * what has been added since, it does no harm.
   */
  adopt(attempt: SpooledAttempt): AttemptRef
  /** Records, newest first. One that waits outside the ledger has no number yet. */
  find(query: RecordQuery): JobRecord[]
  /** The same records one after the other, in constant memory; what is written meanwhile may be among them. */
  each(query: RecordQuery, order: RecordOrder): Iterable<JobRecord>
  /** The same records with only these figures, newest first. */
  findBrief<Key extends BriefKey>(query: RecordQuery, keys: readonly Key[]): BriefRecord<Key>[]
  /** How many there are, whatever the limit. */
  count(query: RecordQuery): number
  /** All attempts, added up by tool and by how they ended. */
  tally(): OutcomeTally[]
  /** Records whose task id starts so, newest first. */
  findByPrefix(prefix: string): JobRecord[]
  /** The samples of one attempt and of its devices; none where there is no such attempt. */
  series(taskId: string): SeriesReader
  /** Attempts still marked as running. */
  running(): RunningAttempt[]
  /** Marks a running attempt whose owner is dead. Answers false if it was no longer running. */
  interrupt(taskId: string, reason: string): boolean
  /**
   * Deletes finished single commands that started before then, with their samples. Attempts of workflows stay as long as
   * their workflow does.
   */
  prune(startedBefore: number): PruneResult
  /** What that would delete. */
  prunable(startedBefore: number): PrunableCommands
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
  /** The same of rows of its devices. */
  readonly deviceRowsBefore?: number
  /** Of its samples; without it: those of this build. */
  readonly columns?: Columns
  /** `count` rows of as many numbers as there are columns. */
  readonly rows: Float64Array
  readonly count: number
  /** In the order in which they were written. */
  readonly devices?: readonly DeviceRows[]
  /** null while it runs, or where its runner died. */
  readonly end: AttemptEnd | null
}

/** What is given must fit; of several, one of them. */
export interface RecordQuery {
  readonly limit?: number
  readonly tool?: Several<string>
  readonly name?: Several<string>
  readonly tag?: Several<string>
  readonly user?: Several<string>
  readonly status?: Several<AttemptStatus>
  /** Tools, names and users whether in capitals or not; tags always as they are. Letters beyond ASCII as they are. */
  readonly inAnyCase?: boolean
  readonly startedSince?: number
  readonly jobId?: number
  /** Single commands, or attempts of jobs of workflows; without it: both. */
  readonly origin?: RecordOrigin
}

export type Several<T> = T | readonly T[]
export type RecordOrigin = 'command' | 'workflow'

export type RecordOrder = 'oldest first' | 'newest first'

export interface RunningAttempt {
  readonly taskId: string
  readonly owner: Owner
  /** When its owner last wrote of it here. */
  readonly heardAt: number
}

export interface PruneResult {
  readonly attempts: number
  readonly samples: number
}

export interface PrunableCommands extends PruneResult {
  /** About so much of the file. */
  readonly bytes: number
}
