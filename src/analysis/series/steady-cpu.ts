import { cpuRoomSeconds } from '../../model/cpu-room.ts'
import type { SampleRow } from '../../model/sample.ts'
import { sampleValue } from './sample-value.ts'

/**
 * The CPU seconds so far at each sample; NaN where they are not known. A counter may lag behind its time, but never
 * runs ahead of it: where a step shows more than its threads can have used, the rest was used before the step, and
 * the samples before it are raised by that. The last one stays as it was read, so that nothing is lost.
 */
export function steadyCpuSeconds(rows: readonly SampleRow[], cores: number): Float64Array {
  const steady = Float64Array.from(rows, cpuSeconds)
  let later: number | undefined
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const read = steady[index] ?? Number.NaN
    if (Number.isNaN(read)) continue
    const [row, next] = [rows[index], later === undefined ? undefined : rows[later]]
    // A counter that went back was reset: what it tells later says nothing of before.
    if (row !== undefined && next !== undefined && cpuSeconds(next) >= read) {
      const after = steady[later ?? 0] ?? Number.NaN
      steady[index] = Math.max(read, after - room(row, next, after - read, cores))
    }
    later = index
  }
  return steady
}

function room(row: SampleRow, next: SampleRow, increase: number, cores: number): number {
  const step =
    (sampleValue(next, 'elapsed_seconds') ?? Number.NaN) -
    (sampleValue(row, 'elapsed_seconds') ?? Number.NaN)
  if (!(step > 0)) return Infinity
  const threads = Math.max(
    sampleValue(row, 'num_threads') ?? 0,
    sampleValue(next, 'num_threads') ?? 0,
  )
  const ofMachine = cores > 0 ? cores * step : Infinity
  return Math.min(ofMachine, cpuRoomSeconds(step, threads, increase))
}

const cpuSeconds = (row: SampleRow): number =>
  (sampleValue(row, 'cpu_user_seconds') ?? Number.NaN) +
  (sampleValue(row, 'cpu_system_seconds') ?? Number.NaN)
