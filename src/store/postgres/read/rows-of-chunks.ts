import type { FoundDevice } from '../../series/held-series.ts'
import type { SeriesQuery } from '../../series/series.ts'
import type { PackedSeries } from '../chunk/chunk.ts'

/** The rows of a part, one by one. */
export const rowsOfPacked = ({ kind, id, columns, count, values }: PackedSeries): FoundDevice => ({
  kind,
  id,
  columns,
  rows: Array.from({ length: count }, (_, row) =>
    Float64Array.from(values, (column) => column[row] ?? Number.NaN),
  ),
})

/** Just the rows that are asked for: of a column that has a figure in none of them nothing is told. */
export function narrowed(
  parts: readonly FoundDevice[],
  { fromSeconds, toSeconds, newest }: Omit<SeriesQuery, 'columns'>,
): FoundDevice[] {
  const inRange =
    fromSeconds === undefined && toSeconds === undefined
      ? parts
      : parts.map((part) => between(part, fromSeconds ?? -Infinity, toSeconds ?? Infinity))
  let left = newest ?? Infinity
  return inRange
    .toReversed()
    .map((part) => {
      const rows = part.rows.slice(Math.max(0, part.rows.length - left))
      left -= rows.length
      return { ...part, rows }
    })
    .toReversed()
}

function between(part: FoundDevice, from: number, to: number): FoundDevice {
  const time = part.columns.indexOf('elapsed_seconds')
  const rows = part.rows.filter((row) => {
    const seconds = row[time] ?? Number.NaN
    return seconds >= from && seconds <= to
  })
  return { ...part, rows }
}
