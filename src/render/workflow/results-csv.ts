import { csv } from '../text/csv.ts'
import type { ResultJson } from './results-rows.ts'

const columns = [
  'job_id',
  'job_name',
  'run_id',
  'attempt',
  'status',
  'return_code',
  'exec_time_seconds',
  'cpu_seconds',
  'peak_cpu_percent',
  'avg_cpu_percent',
  'peak_memory_bytes',
  'avg_memory_bytes',
  'lower_bounds',
  'warning',
] as const satisfies readonly (keyof ResultJson)[]

/** Results as CSV: one header line, one line a result, empty cells for what is not known. */
export function resultsCsv(rows: readonly ResultJson[]): string {
  const cell = (row: ResultJson, column: (typeof columns)[number]) =>
    column === 'lower_bounds' ? row.lower_bounds.join(' ') : row[column]
  return csv([columns, ...rows.map((row) => columns.map((column) => cell(row, column)))])
}
