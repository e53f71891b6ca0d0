import { csvLine } from '../text/csv.ts'
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

/** Results as CSV, line by line: one for the header, one a result, with empty cells for what is not known. */
export function* resultsCsv(rows: Iterable<ResultJson>): Generator<string> {
  yield csvLine(columns)
  const cell = (row: ResultJson, column: (typeof columns)[number]) =>
    column === 'lower_bounds' ? row.lower_bounds.join(' ') : row[column]
  for (const row of rows) yield csvLine(columns.map((column) => cell(row, column)))
}
