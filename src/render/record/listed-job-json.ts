import { isLowerBound } from '../../model/measured.ts'
import { listedFigures, type ListedJob } from '../../model/listed-job.ts'
import { isDurationBound, type AttemptStatus } from '../../model/outcome.ts'
import { errorText } from '../../model/record.ts'
import { usageName, type UsageName } from '../../model/usage-names.ts'
import { utcTime } from '../units/iso-time.ts'
import { figureValue } from '../units/usage-figure.ts'
import { requirementsJson, roundedSeconds, type RequirementsJson } from './record-json.ts'

/** A job in a list: the keys of a whole record, as far as a list has them. */
export interface ListedJobJson {
  readonly task_id: string
  readonly job_id: number | null
  readonly workflow_id: number | null
  readonly run_id: number | null
  readonly attempt: number
  readonly name: string
  readonly tool: string
  readonly user: string
  readonly host: string
  readonly tags: readonly string[]
  readonly status: AttemptStatus
  readonly returncode: number | null
  readonly signal: string | null
  readonly reason: string | null
  readonly error: string | null
  readonly start_time: string | null
  readonly end_time: string | null
  readonly duration_seconds: number | null
  readonly requirements: RequirementsJson
  readonly usage: Readonly<Record<string, number | null>>
  /** The figures whose true value may be higher. */
  readonly lower_bounds: readonly (UsageName | 'duration_seconds')[]
}

export function listedJobJson(job: ListedJob): ListedJobJson {
  return {
    task_id: job.taskId,
    job_id: job.jobId,
    workflow_id: job.workflowId,
    run_id: job.runId,
    attempt: job.attempt,
    name: job.name,
    tool: job.tool,
    user: job.user,
    host: job.host,
    tags: job.tags,
    status: job.status,
    returncode: job.exitCode,
    signal: job.signal,
    reason: job.reason,
    error: errorText(job),
    start_time: job.status === 'waiting' ? null : utcTime(job.startedAt),
    end_time: job.endedAt === null ? null : utcTime(Math.max(job.startedAt, job.endedAt)),
    duration_seconds: roundedSeconds(job.durationSeconds),
    requirements: requirementsJson(job.requirements),
    usage: Object.fromEntries(
      listedFigures.map((key) => [usageName(key), figureValue(job.usage[key], key)]),
    ),
    lower_bounds: [
      ...(job.durationSeconds !== null && isDurationBound(job.status)
        ? (['duration_seconds'] as const)
        : []),
      ...listedFigures
        .filter((key) => isLowerBound(job.usage[key]))
        .map((key) => usageName(key) as UsageName),
    ],
  }
}
