import { leastSlackSeconds } from '../cpu-room.ts'
import type { CpuColumns } from './cpu-columns.ts'

/** Of one core: a step in which a job used less is one in which it rested. */
const restCores = 0.05

/**
 * The CPU seconds so far at each sample, with what was told only at the end put where it was used. Counters of ticks hold
 * back up to two of them for each thread, also while it sleeps, and the account at the exit tells them all: over the few
 * milliseconds since the look before, that would be a spike. So small a remainder goes to the last step in which the job
 * was busy, or evenly to all where it never was. The last sample stays as it was read.
 */
export function settledEnd(columns: CpuColumns): Float64Array {
  const { elapsedSeconds, cpuSeconds, threads } = columns
  const settled = cpuSeconds.slice()
  const last = settled.findLastIndex((seconds) => !Number.isNaN(seconds))
  // Of a job that goes on, the counters are yet to tell more.
  if (last < 0 || at(threads, last) > 0) return settled
  const spike = startOfSpike(columns, last)
  const rest = startOfRest(columns, spike)
  const before = rowBefore(columns, rest)
  if (spike === last) return settled
  if (rest === spike) {
    if (isNarrower(columns, before, spike, last)) spread(settled, elapsedSeconds, before, last)
  } else if (before < 0) spread(settled, elapsedSeconds, rest, last)
  else {
    const late = at(cpuSeconds, last) - at(cpuSeconds, spike)
    for (let row = rest; row < last; row += 1)
      settled[row] = Math.min(at(cpuSeconds, row) + late, at(cpuSeconds, last))
  }
  return settled
}

/** From where on all that was told is so little that it may have been used before; `last` where there is no such end. */
function startOfSpike(columns: CpuColumns, last: number): number {
  const { cpuSeconds, threads } = columns
  let start = last
  let mostThreads = 1
  for (;;) {
    const before = rowBefore(columns, start)
    mostThreads = Math.max(mostThreads, at(threads, before) || 0)
    const told = at(cpuSeconds, last) - at(cpuSeconds, before)
    const isOver = at(threads, start) === 0
    const isSpike = coresBusy(columns, before, start) >= restCores || isOver
    if (!(isSpike && told <= mostThreads * leastSlackSeconds)) return start
    start = before
  }
}

function startOfRest(columns: CpuColumns, end: number): number {
  let start = end
  for (;;) {
    const before = rowBefore(columns, start)
    if (!(coresBusy(columns, before, start) < restCores)) return start
    start = before
  }
}

/** Whether the time to `last` is shorter than that before it, and seems busier. */
function isNarrower(columns: CpuColumns, before: number, from: number, last: number): boolean {
  const { elapsedSeconds } = columns
  const seconds = at(elapsedSeconds, last) - at(elapsedSeconds, from)
  return (
    seconds < at(elapsedSeconds, from) - at(elapsedSeconds, before) &&
    coresBusy(columns, from, last) > coresBusy(columns, before, from)
  )
}

function spread(settled: Float64Array, times: Float64Array, from: number, last: number): void {
  const cores = (at(settled, last) - at(settled, from)) / (at(times, last) - at(times, from))
  for (let row = from + 1; row < last; row += 1)
    settled[row] = at(settled, from) + cores * (at(times, row) - at(times, from))
}

/** The reading before this one; -1 where there is none, or the counter was reset since. */
function rowBefore({ cpuSeconds }: CpuColumns, row: number): number {
  let before = row - 1
  while (before >= 0 && Number.isNaN(at(cpuSeconds, before))) before -= 1
  return at(cpuSeconds, before) <= at(cpuSeconds, row) ? before : -1
}

/** NaN where one of them is no row. */
const coresBusy = ({ elapsedSeconds, cpuSeconds }: CpuColumns, from: number, to: number): number =>
  (at(cpuSeconds, to) - at(cpuSeconds, from)) / (at(elapsedSeconds, to) - at(elapsedSeconds, from))

const at = (values: Float64Array, row: number): number => values[row] ?? Number.NaN
