import { csvLine } from '../text/csv.ts'
import { printable } from '../text/printable.ts'
import { markJson } from '../marks/marks-json.ts'
import {
  deviceColumns,
  deviceRows,
  seriesColumns,
  seriesRows,
  type SampledJob,
} from './series-table.ts'

type Line = readonly (string | number | null)[]

/**
 * A job's samples as CSV: one header line, one line a sample, empty cells for what is not known. Where the job used devices,
 * a line for each sample of each of them follows, with two more columns that say which; then a line for each mark. The lines
 * come one by one: the text of a long series is never whole in memory.
 */
export function* seriesCsv(job: SampledJob, cores: number): Generator<string> {
  const own = seriesColumns(job.columns, job.devices).map(({ name }) => name)
  const { marks = [] } = job
  const header = [
    ...own,
    ...(job.devices.length === 0 ? [] : ['device_kind', 'device_id', ...deviceColumns(job)]),
    ...(marks.length === 0 ? [] : markColumns),
  ]
  const blank = Array.from({ length: header.length - own.length }, () => null)
  yield csvLine(header)
  for (const row of seriesRows(job, cores)) yield csvLine([...row, ...blank])
  for (const line of deviceLines(job, header)) yield csvLine(line)
  for (const line of markLines(job, header)) yield csvLine(line)
}

const markColumns = ['mark_step', 'mark_epoch', 'mark_phase', 'mark_message'] as const

function* deviceLines({ devices }: SampledJob, header: readonly string[]): Generator<Line> {
  for (const device of devices) {
    const places = header.map((name) => device.columns.indexOf(name))
    for (const row of deviceRows(device)) {
      const words = new Map([
        ['device_kind', device.kind],
        // A thread may have any name, and `cut` and `awk` know no line within a cell.
        ['device_id', printable(device.id)],
      ])
      yield header.map((name, index) => words.get(name) ?? row[places[index] ?? -1] ?? null)
    }
  }
}

function* markLines({ marks = [] }: SampledJob, header: readonly string[]): Generator<Line> {
  for (const mark of marks.map(markJson)) {
    const cells = new Map<string, string | number | null>([
      ['timestamp', mark.timestamp],
      ['elapsed_seconds', mark.elapsed_seconds],
      ['mark_step', mark.step],
      ['mark_epoch', mark.epoch],
      ['mark_phase', mark.phase],
      ['mark_message', mark.message],
    ])
    yield header.map((name) => cells.get(name) ?? null)
  }
}
