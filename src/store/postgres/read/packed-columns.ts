import type { Columns } from '../../../model/series.ts'
import { compareTimes, isAscending } from '../../series/held-series.ts'
import type { TimeRange } from '../../series/series.ts'
import type { PackedSeries } from '../chunk/chunk.ts'

/** Columns of all parts one after the other, in order of time: no row is ever made. */
export function columnsOf(
  parts: readonly PackedSeries[],
  columns: Columns,
  range: TimeRange,
): Float64Array[] {
  const times = joined(parts, 'elapsed_seconds')
  const order = orderOf(times, range)
  return columns.map((name) => {
    const values = joined(parts, name)
    return order === undefined ? values : Float64Array.from(order, (row) => values[row] ?? NaN)
  })
}

function joined(parts: readonly PackedSeries[], name: string): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { count }) => sum + count, 0)).fill(Number.NaN)
  let next = 0
  for (const { columns, count, values } of parts) {
    const found = values[columns.indexOf(name)]
    if (found !== undefined) all.set(found, next)
    next += count
  }
  return all
}

/** Which rows are asked for, in order of time; undefined where that is all of them as they are. */
function orderOf(times: Float64Array, range: TimeRange): Uint32Array | undefined {
  const { fromSeconds = -Infinity, toSeconds = Infinity } = range
  const isWhole = range.fromSeconds === undefined && range.toSeconds === undefined
  if (isWhole && isAscending(times)) return undefined
  const rows = Uint32Array.from(times.keys()).filter((row) => {
    const time = times[row] ?? Number.NaN
    return isWhole || (time >= fromSeconds && time <= toSeconds)
  })
  // What has no time comes first; rows of one moment stay as they were written.
  const at = (row: number): number => times[row] ?? Number.NaN
  return rows.sort((one, other) => compareTimes(at(one), at(other)) || one - other)
}
