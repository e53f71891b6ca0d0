import { cpuRoomSeconds } from '../../model/cpu-room.ts'
import type { SampleRow } from '../../model/sample.ts'
import { busyThreads } from './busy-threads.ts'
import { sampleValue } from './sample-value.ts'

/**
 * The CPU seconds so far at each sample; NaN where they are not known. A counter may lag behind its time, but never
 * runs ahead of it: where a step shows more than its threads can have used, or those of them that were busy, the rest was
 * used before the step, and the samples before it are raised by that. The last one stays as it was read, so that nothing
 * is lost.
 */
export function steadyCpuSeconds(rows: readonly SampleRow[], cores: number): Float64Array {
  const read = Float64Array.from(rows, cpuSeconds)
  const byThreads = raiseBefore(rows, read, cores)
  const busy = busyThreads(Float64Array.from(rows, elapsedSeconds), byThreads)
  return raiseBefore(rows, byThreads, cores, busy)
}

/** `busy`: the most threads that were busy in the step that ends with a sample. */
function raiseBefore(
  rows: readonly SampleRow[],
  seconds: Float64Array,
  cores: number,
  busy?: Float64Array,
): Float64Array {
  const steady = seconds.slice()
  let later: number | undefined
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const known = steady[index] ?? Number.NaN
    if (Number.isNaN(known)) continue
    const [row, next] = [rows[index], later === undefined ? undefined : rows[later]]
    // A counter that went back was reset: what it tells later says nothing of before.
    if (row !== undefined && next !== undefined && cpuSeconds(next) >= cpuSeconds(row)) {
      const after = steady[later ?? 0] ?? Number.NaN
      const threads = Math.min(threadsOf(row, next), busy?.[later ?? 0] ?? Infinity)
      steady[index] = Math.max(known, after - room(row, next, threads, after - known, cores))
    }
    later = index
  }
  return steady
}

function room(
  row: SampleRow,
  next: SampleRow,
  threads: number,
  increase: number,
  cores: number,
): number {
  const step = elapsedSeconds(next) - elapsedSeconds(row)
  if (!(step > 0)) return Infinity
  const ofMachine = cores > 0 ? cores * step : Infinity
  return Math.min(ofMachine, cpuRoomSeconds(step, threads, increase))
}

const threadsOf = (row: SampleRow, next: SampleRow): number =>
  Math.max(sampleValue(row, 'num_threads') ?? 0, sampleValue(next, 'num_threads') ?? 0)

const elapsedSeconds = (row: SampleRow): number => sampleValue(row, 'elapsed_seconds') ?? Number.NaN

const cpuSeconds = (row: SampleRow): number =>
  (sampleValue(row, 'cpu_user_seconds') ?? Number.NaN) +
  (sampleValue(row, 'cpu_system_seconds') ?? Number.NaN)
