import type { JobRecord } from '../../model/record.ts'
import type { ColumnDefinition, SampleRow } from '../../model/sample.ts'
import { seriesColumns, seriesRows, type SeriesColumn } from './series-table.ts'

export type SampleJson = Readonly<Record<string, number | null>>

export interface SeriesJson {
  readonly task_id: string
  readonly columns: readonly SeriesColumn[]
  readonly samples: readonly SampleJson[]
}

/** A job's samples as JSON, with what each column says. */
export function seriesJson(
  record: JobRecord,
  rows: readonly SampleRow[],
  stored: readonly ColumnDefinition[],
): SeriesJson {
  const columns = seriesColumns(stored)
  const sampleJson = (figures: readonly (number | null)[]): SampleJson =>
    Object.fromEntries(columns.map(({ name }, index) => [name, figures[index] ?? null]))
  return {
    task_id: record.taskId,
    columns,
    samples: seriesRows(rows, stored, record.machine.cores).map(sampleJson),
  }
}
