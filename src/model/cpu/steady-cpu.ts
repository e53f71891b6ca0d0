import { cpuRoomSeconds } from '../cpu-room.ts'
import { busyThreads } from './busy-threads.ts'
import type { CpuColumns } from './cpu-columns.ts'
import { settledEnd } from './settled-end.ts'

/**
 * The CPU seconds so far at each sample; NaN where they are not known. A counter may lag behind its time, but never
 * runs ahead of it: where a step shows more than its threads can have used, or those of them that were busy, the rest was
 * used before the step, and the samples before it are raised by that. The last one stays as it was read, so that nothing
 * is lost.
 */
export function steadyCpu(columns: CpuColumns, cores: number): Float64Array {
  const byThreads = raiseBefore(columns, settledEnd(columns), cores)
  const busy = busyThreads(columns.elapsedSeconds, byThreads)
  return raiseBefore(columns, byThreads, cores, busy)
}

/** `busy`: the most threads that were busy in the step that ends with a sample. */
function raiseBefore(
  columns: CpuColumns,
  seconds: Float64Array,
  cores: number,
  busy?: Float64Array,
): Float64Array {
  const { elapsedSeconds: times, cpuSeconds: read, threads } = columns
  const steady = seconds.slice()
  let later = -1
  for (let index = steady.length - 1; index >= 0; index -= 1) {
    const known = steady[index] ?? Number.NaN
    if (Number.isNaN(known)) continue
    // A counter that went back was reset: what it tells later says nothing of before.
    if (later >= 0 && at(read, later) >= at(read, index)) {
      const after = at(steady, later)
      // None seen: they were not counted, or had come and gone. The busy ones are known even so.
      const seen = Math.max(at(threads, index) || 0, at(threads, later) || 0) || Infinity
      const most = Math.min(seen, busy?.[later] ?? Infinity)
      const step = at(times, later) - at(times, index)
      steady[index] = Math.max(known, after - room(step, most, after - known, cores))
    }
    later = index
  }
  return steady
}

function room(step: number, threads: number, increase: number, cores: number): number {
  if (!(step > 0)) return Infinity
  const ofMachine = cores > 0 ? cores * step : Infinity
  return Math.min(ofMachine, cpuRoomSeconds(step, threads, increase))
}

const at = (values: Float64Array, index: number): number => values[index] ?? Number.NaN
