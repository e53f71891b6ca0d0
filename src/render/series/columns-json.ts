import { decimateColumns } from '../../analysis/series/decimate-columns.ts'
import type { JobRecord } from '../../model/record.ts'
import type { DeviceSeries } from '../../model/series.ts'
import { deviceRows, seriesColumns, seriesRows, type SampledJob } from './series-table.ts'

type Rows = readonly (readonly (number | null)[])[]

/** Samples column by column; with `points`, at most about so many, in which no peak is missing. */
export function samplesJson(
  { taskId, machine }: JobRecord,
  job: SampledJob & { readonly whyNone: string },
  points: number | null,
): object {
  const columns = seriesColumns(job.columns, job.devices)
  const names = columns.map(({ name }) => name)
  const rows = [...seriesRows(job, machine.cores)]
  const values = inColumns(names, rows, points)
  return {
    task_id: taskId,
    columns,
    basis: job.series.basis,
    sample_count: rows.length,
    is_whole: (values[0]?.length ?? 0) === rows.length,
    no_samples: rows.length === 0 ? job.whyNone : null,
    values,
  }
}

export const devicesJson = (
  { taskId }: JobRecord,
  devices: readonly DeviceSeries[],
  points: number | null,
): object => ({
  task_id: taskId,
  devices: devices.map((device) => ({
    kind: device.kind,
    id: device.id,
    columns: device.columns,
    values: inColumns(device.columns, deviceRows(device), points),
  })),
})

function inColumns(
  names: readonly string[],
  rows: Rows,
  points: number | null,
): (number | null)[][] {
  const whole = names.map((_, at) => rows.map((row) => row[at] ?? null))
  if (points === null || rows.length <= points) return whole
  const timeAt = names.indexOf('elapsed_seconds')
  const numbers = whole.map((column) => Float64Array.from(column, (value) => value ?? Number.NaN))
  const times = numbers[timeAt] ?? new Float64Array(rows.length)
  return decimateColumns({ times, values: numbers }, points).values.map((column) =>
    Array.from(column, (value) => (Number.isNaN(value) ? null : value)),
  )
}
