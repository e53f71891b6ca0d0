import { certainValue, isOfLowerBound } from '../../../model/measured.ts'
import {
  emptyUsage,
  memoryLimitMetFigure,
  memoryLimitMetIn,
  type Usage,
} from '../../../model/usage.ts'
import type { JobRecord } from '../../../model/record.ts'
import { gpuReason, overBeforeGpus, usedCards } from '../../../model/gpu-usage.ts'
import {
  boundedKeyOf,
  usageKeyOf,
  type BoundedFigure,
  type UtilizationFigure,
  type UtilizationRow,
} from '../../../model/utilization-row.ts'
import type { ResultQuery } from '../workflow-store.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { requirementsOf, statusOf } from '../records/record-row.ts'
import { sqliteDialect, type Dialect } from '../dialect.ts'
import { attemptQuery } from './result-query.ts'
import {
  amountOrNull,
  countIn,
  exitCodeOrNull,
  number,
  text,
  textOrNull,
  type Row,
} from '../../sqlite/row.ts'
import { scanUsage, type FigureScan } from '../records/usage-scan.ts'
import { parseUsage } from '../records/usage-text.ts'

/** What `utilizationIn` reads. */
export const utilizationColumns = ({ storedUsage }: Dialect): string => `
  job.id AS job_id, job.name, job.cpus, job.memory_bytes, job.gpus, job.runtime_seconds,
  attempt.run_id, attempt.number, attempt.status, attempt.exit_code, attempt.signal, attempt.reason,
  attempt.cores, attempt.duration_seconds, attempt.cpu_seconds, attempt.memory_peak_bytes,
  ${storedUsage} AS usage`

/** Attempts against their requests, by job, run and attempt. */
export function utilizationRowsOf(
  connection: Connection,
  workflowId: number,
  query: ResultQuery,
): UtilizationRow[] {
  const { sql, values } = attemptQuery(utilizationColumns, workflowId, query, sqliteDialect)
  return connection.mapSound(sql, values, utilizationIn)
}

export const utilizationIn = (row: Row): UtilizationRow => ({
  jobId: number(row, 'job_id'),
  jobName: text(row, 'name'),
  runId: number(row, 'run_id'),
  attempt: number(row, 'number'),
  status: statusOf(row),
  exitCode: exitCodeOrNull(row, 'exit_code'),
  signal: textOrNull(row, 'signal'),
  reason: textOrNull(row, 'reason'),
  machineCores: countIn(row, 'cores'),
  requirements: requirementsOf(row),
  durationSeconds: amountOrNull(row, 'duration_seconds'),
  ...figuresOf(row),
})

/** Of an attempt whose end the ledger does not have: all that follows from the end. */
export const utilizationOf = ({
  status,
  exitCode,
  signal,
  reason,
  durationSeconds,
  usage,
}: JobRecord): Partial<UtilizationRow> => ({
  status,
  exitCode,
  signal,
  reason,
  durationSeconds,
  ...wholeFigures(usage),
})

/** Kept under the same name in the record, and not told as missing. */
type OtherFigure =
  | 'largestProcessPeakBytes'
  | 'swapPeakBytes'
  | 'processesKilledForMemory'
  | 'cgroupMemoryPeakBytes'
  | 'cpuPressureSeconds'
  | 'machineCpuPressureSeconds'
  | 'machineCpuPercentMean'
  | 'involuntarySwitches'

type LimitPart = 'memoryLimitMetBytes'
type GpuPart = 'gpuCardsUsed' | 'gpuWhyNot'
type Figures = Pick<
  UtilizationRow,
  UtilizationFigure | OtherFigure | LimitPart | GpuPart | 'lowerBounds' | 'unmeasured'
>

const figures = Object.keys(usageKeyOf) as UtilizationFigure[]

const nothingMissing = {}
const boundable = Object.keys(boundedKeyOf) as BoundedFigure[]
const noneBounded: readonly BoundedFigure[] = []
const notEndedYet = emptyUsage('the job has not ended yet')

/** Figure by figure out of the text; the whole of it is read only where something is missing. */
function figuresOf(row: Row): Figures {
  const usage = textOrNull(row, 'usage')
  if (usage === null) return wholeFigures(notEndedYet)
  const { figure, basis } = scanUsage(usage)
  const cpuPercentPeak = figure('cpuPercentPeak')
  const cpuPercentP95 = figure('cpuPercentP95')
  const cpuSeconds = amountOrNull(row, 'cpu_seconds')
  const memoryPeakBytes = amountOrNull(row, 'memory_peak_bytes')
  if (
    cpuSeconds === null ||
    memoryPeakBytes === null ||
    cpuPercentPeak === undefined ||
    cpuPercentP95 === undefined
  )
    return wholeFigures(parseUsage(usage))
  return {
    cpuSeconds,
    cpuPercentPeak,
    cpuPercentP95,
    memoryPeakBytes,
    ...others((key) => figure(key) ?? null),
    ...(isOfLowerBound(basis('cgroupMemoryPeakBytes') ?? '')
      ? { cgroupMemoryPeakBytes: null }
      : {}),
    memoryLimitMetBytes: figure(memoryLimitMetFigure.key) ?? null,
    ...gpuPart(usage, figure),
    lowerBounds: boundsIn((name) => basis(boundedKeyOf[name])),
    unmeasured: nothingMissing,
  }
}

const others = (value: (key: OtherFigure) => number | null): Pick<Figures, OtherFigure> => ({
  largestProcessPeakBytes: value('largestProcessPeakBytes'),
  swapPeakBytes: value('swapPeakBytes'),
  processesKilledForMemory: value('processesKilledForMemory'),
  cgroupMemoryPeakBytes: value('cgroupMemoryPeakBytes'),
  cpuPressureSeconds: value('cpuPressureSeconds'),
  machineCpuPressureSeconds: value('machineCpuPressureSeconds'),
  machineCpuPercentMean: value('machineCpuPercentMean'),
  involuntarySwitches: value('involuntarySwitches'),
})

/** Most attempts have nothing to do with a GPU: only where one is spoken of, the whole of it is read. */
function gpuPart(usage: string, figure: FigureScan['figure']): Pick<Figures, GpuPart> {
  if (!usage.includes('"gpu')) return noGpu
  const cards = figure('gpuCards')
  const untouched = figure('gpuCardsUntouched')
  return cards === undefined || untouched === undefined
    ? gpuFigures(parseUsage(usage))
    : { gpuCardsUsed: cards - untouched, gpuWhyNot: '' }
}

const gpuFigures = (usage: Usage): Pick<Figures, GpuPart> => ({
  gpuCardsUsed: usedCards(usage),
  gpuWhyNot: gpuReason(usage),
})

const noGpu: Pick<Figures, GpuPart> = { gpuCardsUsed: null, gpuWhyNot: overBeforeGpus }

function boundsIn(
  basisOf: (figure: BoundedFigure) => string | undefined,
): readonly BoundedFigure[] {
  const bounded = boundable.filter((figure) => isOfLowerBound(basisOf(figure) ?? ''))
  return bounded.length === 0 ? noneBounded : bounded
}

function wholeFigures(usage: Usage): Figures {
  const unmeasured = figures.flatMap((figure) => {
    const found = usage[usageKeyOf[figure]]
    return found.value === null ? [[figure, found.why] as const] : []
  })
  return {
    cpuSeconds: usage.cpuTotalSeconds.value,
    cpuPercentPeak: usage.cpuPercentPeak.value,
    cpuPercentP95: usage.cpuPercentP95.value,
    memoryPeakBytes: usage.memoryPeakBytes.value,
    ...others((key) => usage[key].value),
    cgroupMemoryPeakBytes: certainValue(usage.cgroupMemoryPeakBytes),
    memoryLimitMetBytes: memoryLimitMetIn(usage),
    ...gpuFigures(usage),
    lowerBounds: boundsIn((figure) => {
      const found = usage[boundedKeyOf[figure]]
      return found.value === null ? undefined : found.basis
    }),
    unmeasured: Object.fromEntries(unmeasured),
  }
}
