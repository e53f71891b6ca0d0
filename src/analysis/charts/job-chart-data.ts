import { isOpen } from '../../model/outcome.ts'
import type { AbsentChart, ChartData, JobChartData } from '../../model/job-chart-data.ts'
import { gpuReason } from '../../model/gpu-usage.ts'
import type { Mark } from '../../model/marks/mark.ts'
import type { JobRecord } from '../../model/record.ts'
import type { DeviceSeries, SeriesColumns } from '../../model/series.ts'
import { chartOf, type ChartRange } from './chart-of.ts'
import { chartMarks, chartPhases } from './chart-marks.ts'
import { columnsByName } from './derived-columns.ts'
import { deviceCharts } from './device-charts.ts'
import { ownCharts, type OwnChart } from './own-charts.ts'

/** All that the charts of a job are made of. */
export interface ChartedJob {
  readonly record: JobRecord
  readonly samples: SeriesColumns
  readonly devices: readonly DeviceSeries[]
  readonly marks: readonly Mark[]
  /** Why there are no samples, where there are none. */
  readonly whyNone: string
}

/** A job over time, as charts draw it. `isWhole`: the samples are all that there are of the job. */
export function jobChartData(job: ChartedJob, range: ChartRange, isWhole: boolean): JobChartData {
  const { record, samples, devices, marks, whyNone } = job
  const of = columnsByName(samples)
  const charts: ChartData[] = []
  const absent: AbsentChart[] = []
  for (const own of ownCharts(record, of)) {
    const chart = chartOf(own, range)
    const why = whyAbsent(own, chart, record, whyNone)
    if (why === null && chart !== undefined) charts.push(chart)
    else absent.push({ id: own.id, title: own.title, why: why ?? whyNone })
  }
  const { cores } = record.machine
  charts.push(...deviceCharts(devices, cores).flatMap((full) => chartOf(full, range) ?? []))
  if (!devices.some(({ kind }) => kind === 'gpu') && 'gpuUtilizationPercentMean' in record.usage)
    absent.push({ id: 'gpu', title: 'GPU', why: gpuReason(record.usage) })
  const times = of('elapsed_seconds')
  const sampleCount = countWithin(times, range)
  const last = record.durationSeconds ?? times.at(-1) ?? 0
  return {
    task_id: record.taskId,
    name: record.name,
    started_at: record.startedAt,
    duration_seconds: record.durationSeconds,
    from_seconds: Math.max(0, range.fromSeconds),
    to_seconds: Math.min(range.toSeconds, Math.max(last, times.at(-1) ?? 0)),
    sample_count: sampleCount,
    is_whole: range.points === null || sampleCount <= range.points,
    charts,
    absent,
    phases: chartPhases(marks, charts, last, isWhole),
    marks: chartMarks(marks, last),
  }
}

function countWithin(times: Float64Array, { fromSeconds, toSeconds }: ChartRange): number {
  let count = 0
  for (const at of times) if (at >= fromSeconds && at <= toSeconds) count += 1
  return count
}

/** Why a chart is left out; null where it is shown. Of a job that runs, a line along zero may yet become another. */
function whyAbsent(
  { figure, nothing }: OwnChart,
  chart: ChartData | undefined,
  { usage, status }: JobRecord,
  whyNone: string,
): string | null {
  const measured = usage[figure]
  if (chart === undefined) {
    if (whyNone !== '') return whyNone
    return measured.value === null ? `not measured: ${measured.why}` : 'too few samples'
  }
  const isZero = chart.series.every(({ figures }) => (figures.highest ?? 0) === 0)
  return isZero && !isOpen(status) ? nothing : null
}
