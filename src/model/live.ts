import type { ListedAlert } from './alert.ts'
import type { BriefKey, BriefUsage } from './brief-record.ts'
import type { JobState } from './job-state.ts'
import type { JobRecord } from './record.ts'
import type { Columns, Device } from './series.ts'

/**
 * What a stream of live events tells. Whoever gets all events since an id, and read everything anew after each `reset`,
 * knows what the ledger, its spool, its series files and its alerts say, at most a second later.
 */
export type LiveEvent = LiveReset | LiveNews

/** What happened to something that belongs to a user: only who may see that user's jobs may see the event. */
export type LiveNews = LiveAttemptEvent | LiveSamplesEvent | LiveWorkflowEvent | LiveAlertEvent

/**
 * What was told before may be incomplete: read everything anew. It is told to a listener that asks for events which are no
 * longer held, and to all if the ledger was deleted or replaced by another.
 */
export interface LiveReset {
  readonly kind: 'reset'
}

interface OfUser {
  /** Whose job, workflow or alert it is, as records have it. */
  readonly user: string
}

/** An attempt began, ended, or there is something new to say about it. */
export interface LiveAttemptEvent extends OfUser {
  readonly kind: 'attempt'
  /**
   * `found`: it was running already when somebody began to listen, or after a `reset`. Each attempt is told to have begun
   * (or to be found) once, and to have ended once, in this order. Nothing is told of attempts that ended before.
   * `changed`: it is told about again while it runs, or after its end: it got its number in the ledger, or somebody who
   * was thought dead told its end after all.
   */
  readonly change: 'found' | 'began' | 'changed' | 'ended'
  readonly attempt: LiveAttempt
}

/** What lists of jobs show. Figures are null until it has ended. */
export interface LiveAttempt extends Pick<
  JobRecord,
  | 'taskId'
  | 'jobId'
  | 'attempt'
  | 'name'
  | 'tool'
  | 'command'
  | 'tags'
  | 'user'
  | 'machine'
  | 'requirements'
  | 'status'
  | 'startedAt'
  | 'endedAt'
  | 'durationSeconds'
  | 'exitCode'
  | 'signal'
  | 'reason'
> {
  /** null for a single command. */
  readonly workflowId: number | null
  readonly runId: number | null
  /** The seconds between two samples; null if it is not watched. */
  readonly intervalSeconds: number | null
  readonly usage: BriefUsage<BriefKey>
}

/**
 * New rows of a series. The same figures as the series has that is read later: a counter that lags may change rates that
 * were told before, and then these rows are told again.
 */
export interface LiveSamplesEvent extends OfUser {
  readonly kind: 'samples'
  readonly taskId: string
  readonly columns: Columns
  /**
   * These rows take the place of all rows from this one on, counted from 0 in the whole series. Who has fewer rows than
   * that, or is told null, must read the series anew.
   */
  readonly firstRow: number | null
  /** null: not measured. */
  readonly rows: readonly LiveRow[]
  /** New rows of GPUs, networks and other devices; each by the same rule. */
  readonly devices: readonly LiveDeviceRows[]
}

export type LiveRow = readonly (number | null)[]

/** Rows of a device, with the rates of its counters. */
export interface LiveDeviceRows extends Device {
  readonly columns: Columns
  readonly firstRow: number
  readonly rows: readonly LiveRow[]
}

/** How far a workflow has come. */
export interface LiveWorkflowEvent extends OfUser {
  readonly kind: 'workflow'
  readonly workflow: LiveWorkflow
}

export interface LiveWorkflow {
  readonly workflowId: number
  readonly name: string
  readonly user: string
  readonly states: Readonly<Record<JobState, number>>
  readonly total: number
  /** Neither waiting nor running. */
  readonly done: number
  /** Of these, those that did not succeed. */
  readonly failed: number
  readonly running: number
  /** The newest run; null if it was never run. */
  readonly runId: number | null
  readonly runStartedAt: number | null
  readonly runEndedAt: number | null
  /** Whether somebody runs it now, as far as can be known. */
  readonly isBeingRun: boolean
  /** null if it is not being run, or nothing is known to estimate by. */
  readonly estimate: EndEstimate | null
}

/** When a workflow will probably have ended. Seconds since 1970. */
export interface EndEstimate {
  readonly endsAt: number
  /** The true end is between these two in about four of five cases, if jobs go on as they did. */
  readonly earliestAt: number
  readonly latestAt: number
  /** How it was estimated, in a few words. */
  readonly basis: string
}

/** An alert fires, is over, or somebody has acknowledged it. */
export interface LiveAlertEvent extends OfUser {
  readonly kind: 'alert'
  /** `found`: it was firing already when somebody began to listen, or after a `reset`. */
  readonly change: 'found' | 'fired' | 'acknowledged' | 'resolved'
  readonly alert: LiveAlert
}

/** What lists of alerts show, but for how it was delivered. */
export type LiveAlert = Omit<ListedAlert, 'deliveries'>

/** An event as listeners get it. */
export interface ToldEvent {
  /** `<boot>.<number>`; the numbers grow by one. */
  readonly id: string
  readonly event: LiveEvent
  /** The event as one line of text, made once for all listeners. */
  readonly text: string
}
