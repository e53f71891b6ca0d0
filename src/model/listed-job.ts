import type { BriefUsage } from './brief-record.ts'
import type { Requirements } from './job.ts'
import type { JobRecord } from './record.ts'

/** The figures that a list of jobs shows. */
export const listedFigures = ['cpuTotalSeconds', 'cpuPercentMean', 'memoryPeakBytes'] as const
export type ListedFigure = (typeof listedFigures)[number]

/** One attempt as a list of jobs shows it: a few columns of its row, and nothing that is long. */
export interface ListedJob extends Pick<
  JobRecord,
  | 'taskId'
  | 'jobId'
  | 'attempt'
  | 'name'
  | 'tool'
  | 'user'
  | 'tags'
  | 'status'
  | 'exitCode'
  | 'signal'
  | 'reason'
  | 'startedAt'
  | 'endedAt'
  | 'durationSeconds'
> {
  readonly host: string
  /** null for a single command. */
  readonly workflowId: number | null
  readonly runId: number | null
  readonly requirements: Requirements
  readonly usage: BriefUsage<ListedFigure>
}

/** Where a job stands in the list of all jobs, newest first. Lists go on after such a place. */
export interface ListPlace {
  readonly startedAt: number
  /** Infinity if the ledger has not given it a number yet: it will be higher than all that are there. */
  readonly attemptId: number
  readonly taskId: string
}

export interface JobInList {
  readonly job: ListedJob
  readonly place: ListPlace
}

/** Newest first. */
export const comparePlaces = (one: ListPlace, other: ListPlace): number =>
  descending(one.startedAt, other.startedAt) ||
  descending(one.attemptId, other.attemptId) ||
  descending(one.taskId, other.taskId)

const descending = (one: number | string, other: number | string): number =>
  Number(one < other) - Number(one > other)
