import { rateColumn } from '../counter-rate.ts'
import { steadyCpu } from './steady-cpu.ts'

/** The CPU counters of a job at each of its samples; NaN where one was not read. */
export interface CpuCounters {
  readonly elapsedSeconds: Float64Array
  readonly userSeconds: Float64Array
  readonly systemSeconds: Float64Array
  readonly threads: Float64Array
}

/**
 * The CPU of a job in percent, of the time since its counters were last read; 100 is one core, and NaN where it is not
 * known. Later samples tell of earlier ones what their counters did not show yet, so all samples are asked for at once.
 */
export function cpuPercents(counters: CpuCounters, cores: number): Float64Array {
  const { elapsedSeconds, userSeconds, systemSeconds, threads } = counters
  const cpuSeconds = userSeconds.map((seconds, row) => seconds + (systemSeconds[row] ?? Number.NaN))
  const percents = rateColumn(
    elapsedSeconds,
    steadyCpu({ elapsedSeconds, cpuSeconds, threads }, cores),
    100,
  )
  const halves = [
    rateColumn(elapsedSeconds, userSeconds),
    rateColumn(elapsedSeconds, systemSeconds),
  ]
  for (let row = 0; row < percents.length; row += 1) {
    // The halves tell whether a counter went back, which the sum of them may hide.
    const isKnown = halves.every((half) => !Number.isNaN(half[row] ?? Number.NaN))
    percents[row] = isKnown ? Math.min(percents[row] ?? Number.NaN, 100 * cores) : Number.NaN
  }
  return percents
}
