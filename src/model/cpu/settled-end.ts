import { leastSlackSeconds } from '../cpu-room.ts'
import type { CpuColumns } from './cpu-columns.ts'

/** Of one core: a step in which a job used less is one in which it rested. */
const restCores = 0.05
/** Of the counters of Linux. */
const tickSeconds = 0.01

/**
 * The CPU seconds so far at each sample, with what was told only at the end put where it was used. Counters of ticks hold
 * back up to two of them, also of a thread that sleeps, and the account at the exit tells them: over the few milliseconds
 * since the look before, that would be a spike. So small a remainder goes to the last step in which the job was busy, or
 * evenly to all where it never was. Many threads may hold back more, but more may be work as well, and stays where it was
 * read, as the last sample does.
 */
export function settledEnd(columns: CpuColumns): Float64Array {
  const { elapsedSeconds, cpuSeconds, threads } = columns
  const settled = cpuSeconds.slice()
  const last = settled.findLastIndex((seconds) => !Number.isNaN(seconds))
  // Of a job that goes on, as one may whose threads nobody counted, the counters are yet to tell more.
  if (at(threads, last) !== 0) return settled
  const look = lastLook(columns, last)
  const late = at(cpuSeconds, last) - at(cpuSeconds, look)
  if (!(late <= leastSlackSeconds && isInTicks(cpuSeconds, look))) return settled
  const rest = startOfRest(columns, look)
  const before = rowBefore(columns, rest)
  if (rest === look) {
    if (isNarrower(columns, before, look, last)) spread(settled, elapsedSeconds, before, last)
  } else if (before < 0) spread(settled, elapsedSeconds, rest, last)
  else {
    for (let row = rest; row < last; row += 1)
      settled[row] = Math.min(at(cpuSeconds, row) + late, at(cpuSeconds, last))
  }
  return settled
}

/** The last sample before its end that found it alive; -1 where there is none. */
function lastLook(columns: CpuColumns, last: number): number {
  let look = last
  while (look >= 0 && at(columns.threads, look) === 0) look = rowBefore(columns, look)
  return look
}

/** A counter of a cgroup or a container knows each microsecond, and holds nothing back. */
function isInTicks(cpuSeconds: Float64Array, last: number): boolean {
  for (let row = 0; row <= last; row += 1) {
    const ticks = at(cpuSeconds, row) / tickSeconds
    if (Math.abs(ticks - Math.round(ticks)) > 1e-6) return false
  }
  return true
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
