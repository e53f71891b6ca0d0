import { csv } from '../text/csv.ts'
import {
  deviceColumns,
  deviceRows,
  seriesColumns,
  seriesRows,
  type SampledJob,
} from './series-table.ts'

/**
 * A job's samples as CSV: one header line, one line a sample, empty cells for what is not known. Where the job used devices,
 * a line for each sample of each of them follows, with two more columns that say which.
 */
export function seriesCsv(job: SampledJob, cores: number): string {
  const own = seriesColumns(job.columns, job.devices).map(({ name }) => name)
  const samples = seriesRows(job, cores)
  if (job.devices.length === 0) return csv([own, ...samples])
  const header = [...own, 'device_kind', 'device_id', ...deviceColumns(job)]
  const blank = Array.from({ length: header.length - own.length }, () => null)
  return csv([header, ...samples.map((row) => [...row, ...blank]), ...deviceLines(job, header)])
}

function* deviceLines({ devices }: SampledJob, header: readonly string[]) {
  for (const device of devices) {
    const places = header.map((name) => device.columns.indexOf(name))
    for (const row of deviceRows(device)) {
      const words = new Map([
        ['device_kind', device.kind],
        ['device_id', device.id],
      ])
      yield header.map((name, index) => words.get(name) ?? row[places[index] ?? -1] ?? null)
    }
  }
}
