/** Figures of the same moments, in order of time: a value of each column for each time, or NaN. */
export interface TimedColumns {
  readonly times: Float64Array
  readonly values: readonly Float64Array[]
}

/**
 * Thins columns to at most so many moments and loses no peak: time is cut into equal steps, of which each keeps the moments
 * of the least and the greatest value of each column, and one at which a column has none. What is kept is as it was; the
 * first and the last moment always are. Steps are powers of two, counted from zero: a range that is moved has the same
 * steps, and one that is widened joins them in pairs, so that curves stand still. `spanSeconds`: the
 * range that was asked for, where rows do not fill it.
 */
export function decimateColumns(
  columns: TimedColumns,
  mostPoints: number,
  spanSeconds?: number,
): TimedColumns {
  const { times, values } = columns
  // One step keeps up to three moments of each column, and the first and the last of all.
  const points = Math.max(3 * values.length + 2, Math.floor(mostPoints))
  if (times.length <= points) return columns
  const span = spanSeconds ?? (times.at(-1) ?? 0) - (times[0] ?? 0)
  let step = stepSecondsFor(span, points, values.length)
  let kept = keptRows(columns, step)
  // Columns with gaps keep three moments a step each.
  while (kept.length > points) {
    step *= 2
    kept = keptRows(columns, step)
  }
  return rowsOf(columns, kept)
}

/** The step for so much time, of which each has a least and a greatest value for each column. */
export function stepSecondsFor(spanSeconds: number, mostPoints: number, columns: number): number {
  const steps = Math.max(1, Math.floor(mostPoints / (2 * Math.max(1, columns))) - 1)
  return 2 ** Math.ceil(Math.log2(Math.max(spanSeconds, 1e-6) / steps))
}

/** The rows with these numbers. */
export const rowsOf = ({ times, values }: TimedColumns, rows: Uint32Array): TimedColumns => ({
  times: Float64Array.from(rows, (row) => times[row] ?? Number.NaN),
  values: values.map((column) => Float64Array.from(rows, (row) => column[row] ?? Number.NaN)),
})

function keptRows({ times, values }: TimedColumns, stepSeconds: number): Uint32Array {
  const isKept = new Uint8Array(times.length)
  isKept[0] = 1
  isKept[times.length - 1] = 1
  let from = 0
  while (from < times.length) {
    const number = Math.floor((times[from] ?? 0) / stepSeconds)
    let end = from + 1
    while (end < times.length && Math.floor((times[end] ?? 0) / stepSeconds) === number) end += 1
    for (const column of values) keepExtremes(column, from, end, isKept)
    from = end
  }
  return flaggedRows(isKept)
}

/** The numbers of the rows whose flag is 1. */
export function flaggedRows(flags: Uint8Array): Uint32Array {
  let count = 0
  for (const flag of flags) count += flag
  const rows = new Uint32Array(count)
  for (let row = 0, at = 0; row < flags.length; row += 1) if (flags[row] === 1) rows[at++] = row
  return rows
}

function keepExtremes(column: Float64Array, from: number, end: number, isKept: Uint8Array): void {
  let [lowest, highest, gap] = [-1, -1, -1]
  let [low, high] = [Infinity, -Infinity]
  for (let row = from; row < end; row += 1) {
    const value = column[row] ?? Number.NaN
    if (value < low) {
      low = value
      lowest = row
    }
    if (value > high) {
      high = value
      highest = row
    }
    if (gap < 0 && Number.isNaN(value)) gap = row
  }
  if (lowest >= 0) isKept[lowest] = 1
  if (highest >= 0) isKept[highest] = 1
  if (gap >= 0) isKept[gap] = 1
}
