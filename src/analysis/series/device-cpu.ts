import { rateColumn } from '../../model/counter-rate.ts'
import { cpuPercents } from '../../model/cpu/cpu-percents.ts'
import type { DeviceSeries } from '../../model/series.ts'
import { threadCpuSeconds } from './thread-cpu.ts'

/** The CPU of a thread or a container in percent at each of its rows, as that of a job; undefined for other devices. */
export function deviceCpuPercents(device: DeviceSeries, cores: number): Float64Array | undefined {
  const elapsedSeconds = column(device, 'elapsed_seconds')
  if (device.kind === 'thread') {
    const cpuSeconds = Float64Array.from(device.rows, (row) => threadCpuSeconds(device, row))
    return rateColumn(elapsedSeconds, withinOneCore(elapsedSeconds, cpuSeconds), 100)
  }
  if (device.kind !== 'container') return undefined
  const userSeconds = column(device, 'cpu_seconds')
  const systemSeconds = userSeconds.map(() => 0)
  const threads = column(device, 'pids')
  return cpuPercents({ elapsedSeconds, userSeconds, systemSeconds, threads }, cores)
}

/**
 * A thread is never busy for longer than has passed: what a step shows more was used before it, however much that is.
 * Nobody comes and goes between two looks at one thread.
 */
function withinOneCore(times: Float64Array, cpuSeconds: Float64Array): Float64Array {
  const steady = cpuSeconds.slice()
  for (let row = steady.length - 2; row >= 0; row -= 1) {
    const [known = 0, after = 0] = steady.subarray(row, row + 2)
    const seconds = (times[row + 1] ?? Number.NaN) - (times[row] ?? Number.NaN)
    if (after >= known && seconds > 0) steady[row] = Math.max(known, after - seconds)
  }
  return steady
}

export function column({ columns, rows }: DeviceSeries, name: string): Float64Array {
  const place = columns.indexOf(name)
  return Float64Array.from(rows, (row) => row[place] ?? Number.NaN)
}
