import type { BriefRecord } from '../../model/brief-record.ts'
import { isLowerBound } from '../../model/measured.ts'
import { isDurationBound, type AttemptStatus } from '../../model/outcome.ts'
import { warningText } from '../../model/record.ts'
import { roundKeeping } from '../units/figures.ts'
import { usageFigure } from '../units/usage-figure.ts'

/** The figures of a usage that a result shows. */
export const resultKeys = [
  'cpuTotalSeconds',
  'cpuPercentPeak',
  'cpuPercentMean',
  'memoryPeakBytes',
  'memoryMeanBytes',
] as const

/** An attempt of a job of a workflow; the ledger's row is one. */
export interface Result {
  readonly jobId: number
  readonly runId: number
  readonly attempt: number
  readonly record: BriefRecord<(typeof resultKeys)[number]>
}

/** A result as scripts read it; the table and the CSV show the same figures. */
export interface ResultJson {
  readonly job_id: number
  readonly job_name: string
  readonly run_id: number
  readonly attempt: number
  readonly status: AttemptStatus
  readonly return_code: number | null
  readonly exec_time_seconds: number | null
  readonly cpu_seconds: number | null
  readonly peak_cpu_percent: number | null
  readonly avg_cpu_percent: number | null
  readonly peak_memory_bytes: number | null
  readonly avg_memory_bytes: number | null
  /** The names of those figures above of which more may have been there. */
  readonly lower_bounds: readonly string[]
  readonly warning: string | null
}

export function resultJson({ jobId, runId, attempt, record }: Result): ResultJson {
  const { usage, durationSeconds } = record
  return {
    job_id: jobId,
    job_name: record.name,
    run_id: runId,
    attempt,
    status: record.status,
    return_code: record.exitCode,
    exec_time_seconds: durationSeconds === null ? null : roundKeeping(durationSeconds, 6),
    cpu_seconds: usageFigure(usage, 'cpuTotalSeconds'),
    peak_cpu_percent: usageFigure(usage, 'cpuPercentPeak'),
    avg_cpu_percent: usageFigure(usage, 'cpuPercentMean'),
    peak_memory_bytes: usageFigure(usage, 'memoryPeakBytes'),
    avg_memory_bytes: usageFigure(usage, 'memoryMeanBytes'),
    lower_bounds: boundsOf(record),
    warning: warningText(record),
  }
}

const none: readonly string[] = []

function boundsOf({ status, durationSeconds, usage }: Result['record']): readonly string[] {
  const isDurationLeast = durationSeconds !== null && isDurationBound(status)
  // Nearly every result, of which there may be 100,000.
  if (!isDurationLeast && !resultKeys.some((key) => isLowerBound(usage[key]))) return none
  const ofUsage = resultKeys.filter((key) => isLowerBound(usage[key])).map((key) => nameOf[key])
  return isDurationLeast ? ['exec_time_seconds', ...ofUsage] : ofUsage
}

const nameOf = {
  cpuTotalSeconds: 'cpu_seconds',
  cpuPercentPeak: 'peak_cpu_percent',
  cpuPercentMean: 'avg_cpu_percent',
  memoryPeakBytes: 'peak_memory_bytes',
  memoryMeanBytes: 'avg_memory_bytes',
} as const satisfies Record<(typeof resultKeys)[number], keyof ResultJson>
