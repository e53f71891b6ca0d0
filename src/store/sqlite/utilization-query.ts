import type { ResultQuery, UtilizationFigure, UtilizationRow } from '../workflow-store.ts'
import type { Connection } from './connection.ts'
import { statusOf } from './record-row.ts'
import { attemptQuery } from './result-query.ts'
import { number, numberOrNull, text, textOrNull, type Row } from './row.ts'
import { parseUsage } from './usage-text.ts'

/** Figures that stand only in the JSON of a usage. */
const percents = { peak: 'cpuPercentPeak', p95: 'cpuPercentP95' } as const

/**
 * The number that follows a key, as text. The key cannot stand elsewhere: inside a JSON string its quotes
 * would be escaped. Parsing every usage takes ten times as long, for two numbers of forty.
 */
const numberAfter = (key: string): string =>
  `substr(usage, instr(usage, '"${key}":') + ${key.length + 3}, 32)`

/** `NULL` where all four figures are found without the whole usage. */
const usageIfNeeded = `CASE
  WHEN cpu_seconds IS NOT NULL AND memory_peak_bytes IS NOT NULL AND substr(usage, 1, 12) = '{"measured":'
   AND instr(usage, '"${percents.peak}":') > 0 AND instr(usage, '"${percents.p95}":') > 0
  THEN NULL ELSE usage END`

const columns = `
  job.id AS job_id, job.name, job.cpus, job.memory_bytes, job.gpus, job.runtime_seconds,
  attempt.run_id, attempt.number, attempt.status, attempt.exit_code, attempt.signal, attempt.reason,
  attempt.cores, attempt.duration_seconds, attempt.cpu_seconds, attempt.memory_peak_bytes,
  ${numberAfter(percents.peak)} AS cpu_percent_peak,
  ${numberAfter(percents.p95)} AS cpu_percent_p95,
  ${usageIfNeeded} AS whole_usage`

/** Attempts against their requests, by job, run and attempt. */
export function utilizationRowsOf(
  connection: Connection,
  workflowId: number,
  query: ResultQuery,
): UtilizationRow[] {
  const { sql, values } = attemptQuery(columns, workflowId, query)
  return connection.map(sql, values, (row) => ({
    jobId: number(row, 'job_id'),
    jobName: text(row, 'name'),
    runId: number(row, 'run_id'),
    attempt: number(row, 'number'),
    status: statusOf(row),
    exitCode: numberOrNull(row, 'exit_code'),
    signal: textOrNull(row, 'signal'),
    reason: textOrNull(row, 'reason'),
    machineCores: number(row, 'cores'),
    requirements: {
      cpus: numberOrNull(row, 'cpus'),
      memoryBytes: numberOrNull(row, 'memory_bytes'),
      gpus: numberOrNull(row, 'gpus'),
      runtimeSeconds: numberOrNull(row, 'runtime_seconds'),
    },
    durationSeconds: numberOrNull(row, 'duration_seconds'),
    ...figuresOf(row),
  }))
}

type Figures = Pick<UtilizationRow, UtilizationFigure | 'unmeasured'>

const nothingMissing = {}

function figuresOf(row: Row): Figures {
  const whole = textOrNull(row, 'whole_usage')
  if (whole !== null) return wholeFigures(whole)
  const cpuSeconds = numberOrNull(row, 'cpu_seconds')
  if (cpuSeconds === null) return wholeFigures(null)
  return {
    cpuSeconds,
    cpuPercentPeak: Number.parseFloat(text(row, 'cpu_percent_peak')),
    cpuPercentP95: Number.parseFloat(text(row, 'cpu_percent_p95')),
    memoryPeakBytes: number(row, 'memory_peak_bytes'),
    unmeasured: nothingMissing,
  }
}

function wholeFigures(stored: string | null): Figures {
  if (stored === null) {
    const why = 'the job has not ended yet'
    const unmeasured = {
      cpuSeconds: why,
      cpuPercentPeak: why,
      cpuPercentP95: why,
      memoryPeakBytes: why,
    }
    return {
      cpuSeconds: null,
      cpuPercentPeak: null,
      cpuPercentP95: null,
      memoryPeakBytes: null,
      unmeasured,
    }
  }
  const { cpuTotalSeconds, cpuPercentPeak, cpuPercentP95, memoryPeakBytes } = parseUsage(stored)
  const figures = { cpuSeconds: cpuTotalSeconds, cpuPercentPeak, cpuPercentP95, memoryPeakBytes }
  const unmeasured = Object.entries(figures).flatMap(([key, figure]) =>
    figure.value === null ? [[key, figure.why] as const] : [],
  )
  return {
    cpuSeconds: cpuTotalSeconds.value,
    cpuPercentPeak: cpuPercentPeak.value,
    cpuPercentP95: cpuPercentP95.value,
    memoryPeakBytes: memoryPeakBytes.value,
    unmeasured: Object.fromEntries(unmeasured),
  }
}
