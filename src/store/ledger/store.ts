import type { LastSeen } from '../spool/last-seen.ts'
import type { Columns, DeviceRows } from '../../model/series.ts'
import type { BriefKey, BriefRecord } from '../../model/brief-record.ts'
import type { CountedAttempt, CountedAttempts } from '../../model/counted-attempt.ts'
import type { JobInList, ListPlace } from '../../model/listed-job.ts'
import type { Mark } from '../../model/marks/mark.ts'
import type { Job } from '../../model/job.ts'
import type { Machine, Owner } from '../../model/machine.ts'
import type { OutcomeTally } from '../../model/outcome-tally.ts'
import type { AttemptStatus, Outcome } from '../../model/outcome.ts'
import type { JobRecord, SamplingFacts } from '../../model/record.ts'
import type { Usage } from '../../model/usage.ts'
import type { SeriesReader, SeriesWriter } from '../series/series.ts'

/**
 * The ledger: what ran, how it ended, what it used, and its samples. Every engine passes
 * `test/contracts/store.ts`.
 */
export interface Store {
  /** Records an attempt before it runs, so that a killed runner leaves a trace. */
  begin(start: AttemptStart): AttemptRef
  /** Stores samples of a running attempt; `columns` names them if they are not those of this build. */
  writer(attempt: AttemptRef, columns?: Columns): SeriesWriter
  /** Records the end, in one transaction: it is stored as a whole or not at all. */
  finish(attempt: AttemptRef, end: AttemptEnd): void
  /**
   * Imports what is not here yet of an attempt that was recorded elsewhere. Doing so again, with the same or with more
   * content, does no harm.
   */
  adopt(attempt: SpooledAttempt): AttemptRef
  /** Records, newest first. A record that waits outside the ledger has no job id yet. */
  find(query: RecordQuery): JobRecord[]
  /** The same records one after the other, in constant memory; records written in the meantime may be included. */
  each(query: RecordQuery, order: RecordOrder): Iterable<JobRecord>
  /** The same records with only these figures, newest first. */
  findBrief<Key extends BriefKey>(query: RecordQuery, keys: readonly Key[]): BriefRecord<Key>[]
  /**
   * A page of the list of all jobs, newest first, after a place in it. Fast however many there are; jobs that are
   * recorded meanwhile move nothing that was shown.
   */
  page(query: PageQuery, after: ListPlace | null): JobInList[]
  /** How many records match, whatever the limit. */
  count(query: RecordQuery): number
  /** All attempts, or those of these users, added up by tool and by how they ended. */
  tally(owners?: readonly string[]): OutcomeTally[]
  /** What this ledger got after the attempt with this id, at most so many; 0 is before the first. */
  countedAfter(attemptId: number, limit: number): CountedAttempts
  /** The same for these attempts, as far as they are still here: those that ran may have ended. */
  countedById(attemptIds: readonly number[]): CountedAttempt[]
  /** Records whose task id starts with the prefix, newest first. */
  findByPrefix(prefix: string): JobRecord[]
  /** The samples of one attempt and of its devices; none if there is no such attempt. */
  series(taskId: string): SeriesReader
  /** What the program of an attempt told of, in order of time. */
  marks(taskId: string): readonly Mark[]
  /** Keeps the marks of an attempt whose end nobody saw. */
  addMarks(taskId: string, marks: readonly Mark[]): void
  /** Attempts still marked as running, or as waiting where they were handed to. */
  running(): RunningAttempt[]
  /**
   * Marks a running attempt whose owner is dead. Returns false if it was no longer running. `seen` counts where no samples of it
   * are here.
   */
  interrupt(taskId: string, reason: string, seen?: LastSeen): boolean
  /** What an attempt had left running when its end was kept was ended since. */
  noteNothingLeft(attempt: AttemptRef): void
  /**
   * Deletes finished single commands that started before then, with their samples. Attempts of workflows stay as long as
   * their workflow does.
   */
  prune(startedBefore: number): PruneResult
  /** What `prune` would delete. */
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
  /** Where it started later than was written when it began: it had to wait. */
  readonly startedAt?: number
  /** Where it ran, if that was not known when it began. */
  readonly machine?: Machine
  readonly endedAt: number
  readonly durationSeconds: number
  readonly outcome: Outcome
  readonly usage: Usage
  readonly samples: SamplingFacts
  /** What its own program told of, in order of time; absent where it told nothing. */
  readonly marks?: readonly Mark[]
}

/** An attempt with everything that was recorded about it so far, outside the ledger. */
export interface SpooledAttempt {
  readonly start: AttemptStart
  /** How many of its samples are already in the ledger, and so not among the rows; none by default. */
  readonly samplesBefore?: number
  /** The same for rows of its devices. */
  readonly deviceRowsBefore?: number
  /** The columns of its samples; by default those of this build. */
  readonly columns?: Columns
  /** `count` rows of as many numbers as there are columns. */
  readonly rows: Float64Array
  readonly count: number
  /** In the order in which they were written. */
  readonly devices?: readonly DeviceRows[]
  /** null while it runs, or if its runner died. */
  readonly end: AttemptEnd | null
}

/**
 * A record must match everything that is given; if several values are given, one of them.
 *
 * @see readLedger
 */
export interface RecordQuery {
  readonly limit?: number
  readonly tool?: Several<string>
  readonly name?: Several<string>
  readonly tag?: Several<string>
  readonly user?: Several<string>
  readonly status?: Several<AttemptStatus>
  /** Ignore case in tools, names and users, but not in tags, and only for ASCII letters. */
  readonly inAnyCase?: boolean
  readonly startedSince?: number
  readonly startedBefore?: number
  readonly host?: Several<string>
  /** Only of these users, besides `user`; of nobody if there are none. */
  readonly owners?: readonly string[]
  /** A part of the name, the command, a tag or the user, in any case (ASCII letters), or the start of the task id. */
  readonly search?: string
  /** The directory that it ran in. */
  readonly workingDirectory?: string
  readonly jobId?: number
  readonly taskId?: string
  /** Single commands, or attempts of workflow jobs; both by default. */
  readonly origin?: RecordOrigin
}

export interface PageQuery extends RecordQuery {
  readonly limit: number
}

export type Several<T> = T | readonly T[]
export type RecordOrigin = 'command' | 'workflow'

/**
 * The order in which records are read, by when they were started.
 *
 * @see readLedger
 */
export type RecordOrder = 'oldest first' | 'newest first'

export interface RunningAttempt {
  readonly taskId: string
  /** null for a single command. */
  readonly workflowId: number | null
  /** Whether it was handed to others, and may go on without its owner. */
  readonly isElsewhere: boolean
  readonly owner: Owner
  /** When its owner last wrote about it here. */
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
