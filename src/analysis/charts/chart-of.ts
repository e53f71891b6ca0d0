import type {
  ChartData,
  ChartLine,
  ChartSeries,
  SeriesFigures,
} from '../../model/job-chart-data.ts'
import { decimateColumns, type TimedColumns } from '../series/decimate-columns.ts'
import { seenRows } from './seen-rows.ts'

/** A chart before it is thinned. */
export interface FullChart {
  readonly id: string
  readonly title: string
  readonly times: Float64Array
  readonly series: readonly FullSeries[]
  readonly lines?: readonly ChartLine[]
}

export interface FullSeries extends Omit<ChartSeries, 'values' | 'figures'> {
  readonly values: Float64Array
}

/** Which moments of a chart are wanted; null points: all of them. */
export interface ChartRange {
  readonly fromSeconds: number
  readonly toSeconds: number
  readonly points: number | null
}

/** A chart with as many points as are wanted; undefined where nothing of it was measured. */
export function chartOf(full: FullChart, range: ChartRange): ChartData | undefined {
  const { id, title, times, series, lines = [] } = full
  const all = within({ times, values: series.map(({ values }) => values) }, range)
  const seen = seenRows(all)
  if (seen.times.length === 0) return undefined
  const thin =
    range.points === null
      ? seen
      : decimateColumns(seen, range.points, range.toSeconds - range.fromSeconds)
  return {
    id,
    title,
    times: Array.from(thin.times, (time) => Math.round(time * 1000) / 1000),
    series: series.map(({ values: _, ...one }, place) => ({
      ...one,
      values: Array.from(thin.values[place] ?? [], short),
      figures: figuresOf(seen.times, seen.values[place] ?? new Float64Array()),
    })),
    lines,
  }
}

/** Five digits are more than any screen shows; a figure keeps the unit's whole part. */
const short = (value: number): number | null =>
  Number.isNaN(value) ? null : value >= 1e5 ? Math.round(value) : Number(value.toPrecision(5))

function within(columns: TimedColumns, { fromSeconds, toSeconds }: ChartRange): TimedColumns {
  const { times, values } = columns
  let [first, end] = [0, times.length]
  while (first < end && !((times[first] ?? 0) >= fromSeconds)) first += 1
  while (end > first && !((times[end - 1] ?? 0) <= toSeconds)) end -= 1
  if (first === 0 && end === times.length) return columns
  return {
    times: times.subarray(first, end),
    values: values.map((column) => column.subarray(first, end)),
  }
}

function figuresOf(times: Float64Array, values: Float64Array): SeriesFigures {
  let [lowest, highest, highestAt] = [Infinity, -Infinity, Number.NaN]
  let [sum, seconds, before] = [0, 0, Number.NaN]
  for (let row = 0; row < values.length; row += 1) {
    const [time, value] = [times[row] ?? 0, values[row] ?? Number.NaN]
    if (Number.isNaN(value)) continue
    lowest = Math.min(lowest, value)
    if (value > highest) [highest, highestAt] = [value, time]
    // A rate covers the time since the look before it; a gauge is taken to have stood so.
    if (time > before) {
      sum += value * (time - before)
      seconds += time - before
    }
    before = time
  }
  if (highest < lowest) return { lowest: null, mean: null, highest: null, highest_at_seconds: null }
  return {
    lowest: short(lowest),
    mean: short(seconds > 0 ? sum / seconds : highest),
    highest: short(highest),
    highest_at_seconds: Math.round(highestAt * 1000) / 1000,
  }
}
