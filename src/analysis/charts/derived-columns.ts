import type { Columns, SeriesColumns } from '../../model/series.ts'
import { CounterRate } from '../series/counter-rate.ts'
import { steadyCpu } from '../series/steady-cpu.ts'

/** The stored columns that the charts of a job are made of. */
export const chartedColumns: Columns = [
  'elapsed_seconds',
  'cpu_user_seconds',
  'cpu_system_seconds',
  'num_threads',
  'memory_bytes',
  'num_processes',
  'read_bytes',
  'write_bytes',
  'cpu_pressure_seconds',
  'memory_pressure_seconds',
  'io_pressure_seconds',
]

/** A column by its name, or a column of NaN where there is none; what cannot have been measured is NaN. */
export type ColumnOf = (name: string) => Float64Array

/** In place: these columns were read for the charts and are nobody else's. */
export function columnsByName({ columns, values }: SeriesColumns): ColumnOf {
  for (const column of values)
    for (let row = 0; row < column.length; row += 1) {
      const value = column[row] ?? Number.NaN
      if (!(value >= 0 && value < Infinity)) column[row] = Number.NaN
    }
  const length = values[0]?.length ?? 0
  return (name) => values[columns.indexOf(name)] ?? new Float64Array(length).fill(Number.NaN)
}

/** The rate of a counter at each moment, times `scale`; NaN where there is none. */
export function rateColumn(times: Float64Array, counter: Float64Array, scale = 1): Float64Array {
  const rate = new CounterRate()
  const rates = new Float64Array(times.length)
  for (let row = 0; row < rates.length; row += 1)
    rates[row] = scale * rate.next(times[row] ?? Number.NaN, counter[row] ?? Number.NaN)
  return rates
}

/** The CPU of a job in percent; 100 is one core. As `deriveSeries` has it. */
export function cpuPercentColumn(of: ColumnOf, cores: number): Float64Array {
  const times = of('elapsed_seconds')
  const [user, system] = [of('cpu_user_seconds'), of('cpu_system_seconds')]
  const cpuSeconds = user.map((seconds, row) => seconds + (system[row] ?? Number.NaN))
  const threads = of('num_threads')
  const steady = steadyCpu({ elapsedSeconds: times, cpuSeconds, threads }, cores)
  const percents = rateColumn(times, steady, 100)
  const halves = [rateColumn(times, user), rateColumn(times, system)]
  for (let row = 0; row < percents.length; row += 1) {
    // The halves tell whether a counter went back, which the sum of them may hide.
    const isKnown = halves.every((half) => !Number.isNaN(half[row] ?? Number.NaN))
    percents[row] = isKnown ? Math.min(percents[row] ?? Number.NaN, 100 * cores) : Number.NaN
  }
  return percents
}
