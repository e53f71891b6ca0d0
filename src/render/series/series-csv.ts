import type { ColumnDefinition, SampleRow } from '../../model/sample.ts'
import { csv } from '../text/csv.ts'
import { seriesColumns, seriesRows } from './series-table.ts'

/** A job's samples as CSV: one header line, one line a sample, empty cells for what is not known. */
export function seriesCsv(
  rows: readonly SampleRow[],
  columns: readonly ColumnDefinition[],
  cores: number,
): string {
  const names = seriesColumns(columns).map(({ name }) => name)
  return csv([names, ...seriesRows(rows, columns, cores)])
}
