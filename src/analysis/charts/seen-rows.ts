import { flaggedRows, rowsOf, type TimedColumns } from '../series/decimate-columns.ts'

/** I/O, pressure and the like are looked at once a second, however close together samples are. */
const fullLookSeconds = 1
/** So many times as long as usual without a figure is a gap. */
const gapFactor = 1.75

/**
 * The moments at which any of the columns has a figure: between two looks nothing is missing. Where there is none for longer
 * than usual, one moment without a figure stays, which draws a gap. What lies before the first figure and after the last is
 * left out.
 */
export function seenRows(columns: TimedColumns): TimedColumns {
  const { times } = columns
  const known = knownRows(columns)
  if (known.length === times.length) return columns
  const most = gapFactor * Math.max(fullLookSeconds, usualSeconds(times, known))
  const kept: number[] = []
  for (let index = 0; index < known.length; index += 1) {
    const [before, row = 0] = [known[index - 1], known[index]]
    if (before !== undefined && before < row - 1 && (times[row] ?? 0) - (times[before] ?? 0) > most)
      kept.push(before + 1)
    kept.push(row)
  }
  return rowsOf(columns, Uint32Array.from(kept))
}

/** Column by column: a million rows have a million chances to be slow. */
function knownRows({ times, values }: TimedColumns): Uint32Array {
  const isKnown = new Uint8Array(times.length)
  for (const column of values)
    for (let row = 0; row < isKnown.length; row += 1)
      if (!Number.isNaN(column[row] ?? Number.NaN)) isKnown[row] = 1
  return flaggedRows(isKnown)
}

/** The middle of the times between looks; of some thousand of them, where there are more. */
function usualSeconds(times: Float64Array, known: Uint32Array): number {
  const stride = Math.max(1, Math.floor(known.length / 2000))
  const steps: number[] = []
  for (let index = 1; index < known.length; index += stride)
    steps.push((times[known[index] ?? 0] ?? 0) - (times[known[index - 1] ?? 0] ?? 0))
  return steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0
}
