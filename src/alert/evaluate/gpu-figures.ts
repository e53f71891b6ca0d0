import { megabyte } from '../../model/bytes.ts'
import type { DeviceRows } from '../../model/series.ts'

/** Figures of a card, by the names that rules use for them, each from a column of its rows. */
const sources = [
  ['gpu_util', 'utilization_percent', 1],
  ['gpu_memory_used_mb', 'memory_used_bytes', 1 / megabyte],
  ['gpu_memory_total_mb', 'memory_total_bytes', 1 / megabyte],
  ['gpu_temp_c', 'temperature_celsius', 1],
  ['gpu_power_w', 'power_watts', 1],
  ['gpu_own_util', 'own_utilization_percent', 1],
  ['gpu_own_processes', 'own_processes', 1],
  ['gpu_own_memory_mb', 'own_memory_bytes', 1 / megabyte],
] as const

export const gpuFigureNames: readonly string[] = [
  ...sources.map(([name]) => name),
  'gpu_memory_pct',
]

/** Writes the figures of a row, in the order of `gpuFigureNames`. */
export function takeGpuFigures(
  into: Float64Array,
  { columns, rows }: DeviceRows,
  row: number,
): void {
  const from = row * columns.length
  for (const [place, [, column, factor]] of sources.entries()) {
    const at = columns.indexOf(column)
    into[place] = at < 0 ? Number.NaN : (rows[from + at] ?? Number.NaN) * factor
  }
  const [, used = Number.NaN, total = Number.NaN] = into
  into[sources.length] = (100 * used) / total
}

/** Of a row of a device: `timestamp`, `elapsed_seconds`, or its number. */
export function deviceValue({ columns, rows }: DeviceRows, row: number, column: string): number {
  const at = columns.indexOf(column)
  return at < 0 ? Number.NaN : (rows[row * columns.length + at] ?? Number.NaN)
}
