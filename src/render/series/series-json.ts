import type { JobRecord } from '../../model/record.ts'
import { markJson, type MarkJson } from '../marks/marks-json.ts'
import type { Columns } from '../../model/series.ts'
import {
  deviceRows,
  seriesColumns,
  seriesRows,
  type SampledJob,
  type SeriesColumn,
} from './series-table.ts'

export type SampleJson = Readonly<Record<string, number | null>>

export interface DeviceJson {
  readonly kind: string
  readonly id: string
  readonly samples: readonly SampleJson[]
}

export interface SeriesJson {
  readonly task_id: string
  readonly columns: readonly SeriesColumn[]
  /** How those columns were obtained that were not measured but worked out from others. */
  readonly basis: Readonly<Record<string, string>>
  readonly samples: readonly SampleJson[]
  readonly devices: readonly DeviceJson[]
  /** What its program told of; absent where it told nothing. */
  readonly marks?: readonly MarkJson[]
}

/** A job's samples as JSON, with what each column says. */
export function seriesJson(record: JobRecord, job: SampledJob): SeriesJson {
  const { marks = [] } = job
  const columns = seriesColumns(job.columns, job.devices)
  const names = columns.map(({ name }) => name)
  return {
    task_id: record.taskId,
    columns,
    basis: job.series.basis,
    samples: named(names, [...seriesRows(job, record.machine.cores)]),
    devices: job.devices.map((device) => ({
      kind: device.kind,
      id: device.id,
      samples: named(device.columns, deviceRows(device)),
    })),
    ...(marks.length === 0 ? {} : { marks: marks.map(markJson) }),
  }
}

const named = (names: Columns, rows: readonly (readonly (number | null)[])[]): SampleJson[] =>
  rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? null])))
