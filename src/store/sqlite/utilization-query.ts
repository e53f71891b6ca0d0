import { emptyUsage, type Usage, type UsageKey } from '../../model/usage.ts'
import type { UtilizationFigure, UtilizationRow } from '../../model/utilization-row.ts'
import type { ResultQuery } from '../workflow-store.ts'
import type { Connection } from './connection.ts'
import { statusOf } from './record-row.ts'
import { attemptQuery } from './result-query.ts'
import { number, numberOrNull, text, textOrNull, type Row } from './row.ts'
import { parseUsage } from './usage-text.ts'

const columns = `
  job.id AS job_id, job.name, job.cpus, job.memory_bytes, job.gpus, job.runtime_seconds,
  attempt.run_id, attempt.number, attempt.status, attempt.exit_code, attempt.signal, attempt.reason,
  attempt.cores, attempt.duration_seconds, attempt.cpu_seconds, attempt.memory_peak_bytes, attempt.usage`

/** Attempts against their requests, by job, run and attempt. */
export function utilizationRowsOf(
  connection: Connection,
  workflowId: number,
  query: ResultQuery,
): UtilizationRow[] {
  const { sql, values } = attemptQuery(columns, workflowId, query)
  return connection.mapSound(sql, values, (row) => ({
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
const notEndedYet = emptyUsage('the job has not ended yet')

function figuresOf(row: Row): Figures {
  const usage = textOrNull(row, 'usage')
  if (usage === null) return wholeFigures(notEndedYet)
  const cpuPercentPeak = figureIn(usage, 'cpuPercentPeak')
  const cpuPercentP95 = figureIn(usage, 'cpuPercentP95')
  const cpuSeconds = numberOrNull(row, 'cpu_seconds')
  const memoryPeakBytes = numberOrNull(row, 'memory_peak_bytes')
  if (
    cpuSeconds === null ||
    memoryPeakBytes === null ||
    cpuPercentPeak === undefined ||
    cpuPercentP95 === undefined
  )
    return wholeFigures(parseUsage(usage))
  return { cpuSeconds, cpuPercentPeak, cpuPercentP95, memoryPeakBytes, unmeasured: nothingMissing }
}

/**
 * The number that follows a key. The key cannot stand elsewhere: inside a JSON string its quotes would
 * be escaped. Parsing every usage takes several times as long, for two numbers of forty.
 */
function figureIn(usage: string, key: UsageKey): number | undefined {
  const found = usage.indexOf(`"${key}":`)
  if (found < 0) return undefined
  const from = found + key.length + 3
  const figure = Number.parseFloat(usage.slice(from, from + longestNumber))
  return Number.isFinite(figure) ? figure : undefined
}

/** Of those that JSON writes, such as -1.2345678901234567e-300. */
const longestNumber = 25

function wholeFigures(usage: Usage): Figures {
  const { cpuTotalSeconds, cpuPercentPeak, cpuPercentP95, memoryPeakBytes } = usage
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
