import { chartedColumns } from '../analysis/charts/derived-columns.ts'
import { jobChartData } from '../analysis/charts/job-chart-data.ts'
import { stepSecondsFor } from '../analysis/series/decimate-columns.ts'
import type { JobChartData } from '../model/job-chart-data.ts'
import type { JobRecord } from '../model/record.ts'
import type { DeviceSeries, SeriesColumns } from '../model/series.ts'
import type { LedgerReader } from '../store/ledger/ledger-reader.ts'
import { HeldSeries } from '../store/series/held-series.ts'
import type { TimeRange } from '../store/series/series.ts'
import { noneInLedger, samplesOfRun } from './job-samples.ts'
import { withMargin } from './rate-margin.ts'

/** What is wanted of a job over time. Seconds are since it started; without them, all of its time. */
export interface SeriesRequest extends TimeRange {
  /** At most so many points in each chart; null: every sample. */
  readonly points: number | null
  /** Where the output directory of its workflow is, if it was moved. */
  readonly movedTo?: string | undefined
}

/** Points of each chart of a page: as many as a wide screen tells apart, and some hundred kilobytes have room for. */
export const pagePoints = 800

/** Series of this many columns share a chart. */
const mostSeries = 3

/** A job over time, as its charts draw it. A range is widened to whole steps, so that curves stand still when it moves. */
export async function jobSeries(
  reader: LedgerReader,
  record: JobRecord,
  request: SeriesRequest,
): Promise<JobChartData> {
  const { points } = request
  const asked = { fromSeconds: request.fromSeconds ?? 0, toSeconds: request.toSeconds ?? Infinity }
  const isWhole = asked.fromSeconds <= 0 && asked.toSeconds === Infinity
  const range = points === null || isWhole ? asked : inWholeSteps(asked, lastSecond(record), points)
  const found = await columnsOf(reader, record, withMargin(range, record), request.movedTo)
  const marks = await reader.jobs.marks(record.taskId)
  const last = found.samples.values[0]?.at(-1) ?? 0
  const toSeconds = Math.min(range.toSeconds, Math.max(last, record.durationSeconds ?? 0))
  return jobChartData({ record, ...found, marks }, { ...range, toSeconds, points }, isWhole)
}

const lastSecond = ({ durationSeconds }: JobRecord): number => durationSeconds ?? Infinity

interface Span {
  readonly fromSeconds: number
  readonly toSeconds: number
}

function inWholeSteps({ fromSeconds, toSeconds }: Span, last: number, points: number): Span {
  const end = Math.min(toSeconds, last)
  if (!Number.isFinite(end)) return { fromSeconds, toSeconds }
  const step = stepSecondsFor(end - fromSeconds, points, mostSeries)
  return {
    fromSeconds: Math.floor(fromSeconds / step) * step,
    toSeconds: Math.ceil(end / step) * step,
  }
}

interface FoundColumns {
  readonly samples: SeriesColumns
  readonly devices: readonly DeviceSeries[]
  readonly whyNone: string
}

async function columnsOf(
  reader: LedgerReader,
  record: JobRecord,
  range: TimeRange,
  movedTo: string | undefined,
): Promise<FoundColumns> {
  const { taskId } = record
  const samples = await reader.jobs.seriesColumns(taskId, chartedColumns, range)
  if ((samples.values[0]?.length ?? 0) > 0)
    return { samples, devices: await reader.jobs.devices(taskId, range), whyNone: '' }
  const ofRun = await samplesOfRun(reader, record, movedTo)
  if (ofRun === undefined) return { samples, devices: [], whyNone: noneInLedger }
  const { series, devices, whyNone } = ofRun
  const held = new HeldSeries([series], devices)
  const columns = held.readColumns(chartedColumns, range)
  const hasAny = (columns.values[0]?.length ?? 0) > 0
  return { samples: columns, devices: held.devices(range), whyNone: hasAny ? '' : whyNone }
}
