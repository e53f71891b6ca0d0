import type { JobRecord } from '../../model/record.ts'
import type { SampleRow } from '../../model/sample.ts'
import {
  seriesColumns,
  seriesRows,
  type SeriesColumn,
  type SeriesColumnName,
} from './series-table.ts'

export type SampleJson = Readonly<Record<SeriesColumnName, number | null>>

export interface SeriesJson {
  readonly task_id: string
  readonly columns: readonly SeriesColumn[]
  readonly samples: readonly SampleJson[]
}

/** A job's samples as JSON, with what each column says. */
export function seriesJson(record: JobRecord, rows: readonly SampleRow[]): SeriesJson {
  return {
    task_id: record.taskId,
    columns: seriesColumns,
    samples: seriesRows(rows, record.machine.cores).map(sampleJson),
  }
}

function sampleJson(figures: readonly (number | null)[]): SampleJson {
  const entries = seriesColumns.map(({ name }, index) => [name, figures[index] ?? null])
  return Object.fromEntries(entries) as SampleJson
}
