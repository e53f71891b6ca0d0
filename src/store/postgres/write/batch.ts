import type { SQLOutputValue } from 'node:sqlite'

/** What a column can be given. */
export type Value = SQLOutputValue | boolean

/** Values by the names of columns. */
export type Values = Readonly<Record<string, Value>>

/**
 * Some of what a local ledger holds, as it holds it: rows have the names and texts of its columns, and jobs and workflows its
 * numbers (`source_job_id`, `source_workflow_id`).
 */
export interface TeamBatch {
  readonly workflows: readonly WorkflowRows[]
  readonly attempts: readonly AttemptRows[]
  readonly benchmarks: readonly BenchmarkRows[]
  /** All of them, where one has changed. */
  readonly baselines?: readonly Values[]
  /** Attempts that the team knows as running, and the local ledger no longer has. */
  readonly vanished: readonly string[]
}

export const emptyBatch: TeamBatch = {
  workflows: [],
  attempts: [],
  benchmarks: [],
  vanished: [],
}

export interface WorkflowRows {
  /** Its own row, with `source_workflow_id` and `sent_mark`. */
  readonly workflow: Values
  readonly runs: readonly Values[]
  /** Only where the definition has changed. */
  readonly nameLists?: readonly Values[]
  /** Those that have changed. */
  readonly jobs: readonly Values[]
}

export interface AttemptRows {
  readonly taskId: string
  /** Its record, with the facts of its job; absent where only samples are new. */
  readonly attempt?: Values
  /** Where its usage is only the numbers of it: what they are. */
  readonly form?: string
  readonly chunks: readonly ChunkRow[]
}

/** Rows of samples, from `firstRow` on. One that has more rows takes the place of one that begins at the same row. */
export interface ChunkRow {
  readonly part: 'sample' | 'device'
  readonly user: string
  readonly startedAt: number
  readonly firstRow: number
  readonly rowCount: number
  readonly fromSeconds: number | null
  readonly toSeconds: number | null
  readonly packed: NonSharedBuffer
}

export interface BenchmarkRows {
  readonly benchmark: Values
  readonly runs: readonly Values[]
}

/** How far a local ledger was sent: the highest id of an attempt, and the task that has it. */
export interface SentUpTo {
  readonly attemptId: number
  readonly taskId: string | null
}
