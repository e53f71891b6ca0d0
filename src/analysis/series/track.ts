import type { SampleColumn, SampleRow } from '../../model/sample.ts'
import { sampleValue } from './sample-value.ts'
import { steadyCpuSeconds } from './steady-cpu.ts'

/** What was seen of one column: known values only, in order of time. */
export interface Track {
  readonly seconds: readonly number[]
  readonly values: readonly number[]
}

/** The job's CPU seconds, none of them more than its threads can have used. */
export function cpuTrack(rows: readonly SampleRow[]): Track {
  const seconds = steadyCpuSeconds(rows, Infinity)
  return track(
    rows,
    (_, index) => {
      const value = seconds[index] ?? Number.NaN
      return Number.isNaN(value) ? null : value
    },
    isNotBack,
  )
}

type ReadRow = (row: SampleRow, index: number) => number | null

/** A counter that went back was reset: what it says until it is past the old mark is not known. */
const isNotBack = (value: number, last: number): boolean => value >= last

export const counterTrack = (rows: readonly SampleRow[], column: SampleColumn): Track =>
  track(rows, (row) => sampleValue(row, column), isNotBack)

export const gaugeTrack = (rows: readonly SampleRow[], column: SampleColumn): Track =>
  track(
    rows,
    (row) => sampleValue(row, column),
    () => true,
  )

function track(
  rows: readonly SampleRow[],
  read: ReadRow,
  follows: (value: number, last: number) => boolean,
): Track {
  const seconds: number[] = []
  const values: number[] = []
  for (const [index, row] of rows.entries()) {
    const at = sampleValue(row, 'elapsed_seconds')
    const value = read(row, index)
    if (at === null || value === null || at <= (seconds.at(-1) ?? -1)) continue
    if (!follows(value, values.at(-1) ?? 0)) continue
    seconds.push(at)
    values.push(value)
  }
  return { seconds, values }
}

/** Asked in order of time, it walks the track once. */
export function interpolator({ seconds, values }: Track): (at: number) => number {
  let index = 0
  return (at) => {
    while (index < seconds.length - 2 && (seconds[index + 1] ?? Infinity) <= at) index += 1
    const from = seconds[index] ?? 0
    const to = seconds[index + 1] ?? from
    const share = to > from ? Math.min(1, Math.max(0, (at - from) / (to - from))) : 0
    const start = values[index] ?? 0
    return start + share * ((values[index + 1] ?? start) - start)
  }
}
