import { csvLine } from '../text/csv.ts'
import { seriesColumns, seriesRows, type SampledJob } from './series-table.ts'

/** Samples between two moments since the start; `isOpen`: the one at the very end belongs to what follows. */
export interface CsvWindow {
  readonly from: number
  readonly to: number
  readonly isOpen: boolean
}

/** The names of the columns of a job's samples; those of its devices are apart. */
export const csvColumns = ({ columns }: SampledJob): readonly string[] =>
  seriesColumns(columns).map(({ name }) => name)

export const csvHeader = (names: readonly string[]): string => csvLine(names)

/** A line for each sample of the window, with these columns. */
export function csvLines(
  job: SampledJob,
  cores: number,
  names: readonly string[],
  { from, to, isOpen }: CsvWindow,
): string {
  const own = csvColumns(job)
  const places = names.map((name) => own.indexOf(name))
  const timeAt = own.indexOf('elapsed_seconds')
  let lines = ''
  for (const row of seriesRows({ ...job, devices: [] }, cores)) {
    const elapsed = row[timeAt] ?? Number.NaN
    if (elapsed >= from && (isOpen ? elapsed < to : elapsed <= to))
      lines += csvLine(places.map((place) => row[place] ?? null))
  }
  return lines
}
