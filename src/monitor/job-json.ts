import type { JobRecord } from '../model/record.ts'
import { givenTaskId } from '../model/task-tag.ts'
import { recordJson, type RecordJson } from '../render/record/record-json.ts'

/**
 * A job as the monitor tells it: a record of the ledger, with the task id that the program gave it. The keys of the
 * documented `jobs_history.jsonl` come first.
 *
 * @see HistoryQuery
 */
export interface MonitoredJob extends RecordJson {
  /** The task id of the record in the ledger, which no other record has. */
  readonly record_id: string
}

/** A tag of all jobs of one folder of logs. */
export const folderTag = (directory: string): string => `log:${directory}`

export function monitoredJob(record: JobRecord): MonitoredJob {
  const taskId = givenTaskId(record.tags) ?? record.taskId
  return { ...recordJson(record), task_id: taskId, record_id: record.taskId }
}

/** The documented keys of a job, in their order. */
export type HistoryEntry = Pick<
  MonitoredJob,
  | 'task_id'
  | 'tool'
  | 'script'
  | 'params'
  | 'start_time'
  | 'end_time'
  | 'duration_seconds'
  | 'status'
  | 'returncode'
  | 'resource_usage'
  | 'detailed_profile'
  | 'error'
  | 'has_result'
>

export const historyEntry = (job: HistoryEntry): HistoryEntry => ({
  task_id: job.task_id,
  tool: job.tool,
  script: job.script,
  params: job.params,
  start_time: job.start_time,
  end_time: job.end_time,
  duration_seconds: job.duration_seconds,
  status: job.status,
  returncode: job.returncode,
  resource_usage: job.resource_usage,
  detailed_profile: job.detailed_profile,
  error: job.error,
  has_result: job.has_result,
})

/** A line of `jobs_history.jsonl`: the documented keys, and how many other jobs are in the figures. */
export function historyLine(job: MonitoredJob): string {
  const { detailed_profile: profile, ...entry } = historyEntry(job)
  const { error, has_result: hasResult, ...before } = entry
  const shared = (job.usage as Readonly<Record<string, number | null>>)['overlapping_jobs'] ?? null
  return JSON.stringify({
    ...before,
    ...(profile === null ? {} : { detailed_profile: profile }),
    error,
    has_result: hasResult,
    record_id: job.record_id,
    ...(shared === null ? {} : { overlapping_jobs: shared }),
  })
}
