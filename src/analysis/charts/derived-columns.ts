import type { Columns, SeriesColumns } from '../../model/series.ts'
import { cpuPercents } from '../../model/cpu/cpu-percents.ts'

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

/** The CPU of a job in percent; 100 is one core. */
export const cpuPercentColumn = (of: ColumnOf, cores: number): Float64Array =>
  cpuPercents(
    {
      elapsedSeconds: of('elapsed_seconds'),
      userSeconds: of('cpu_user_seconds'),
      systemSeconds: of('cpu_system_seconds'),
      threads: of('num_threads'),
    },
    cores,
  )
