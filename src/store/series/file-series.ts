import type { DatabaseSync } from 'node:sqlite'
import { asFigure, figureRows, figuresIn } from '../sqlite/figure-rows.ts'
import { TableSeries } from '../sqlite/table-series.ts'
import { HeldSeries } from './held-series.ts'
import type { SeriesPlace } from './series-file-writer.ts'
import { withCounters } from './series-upgrade.ts'
import type { SeriesReader } from './series.ts'

/** What the CPU of an attempt follows from. */
export const counterColumns = ['elapsed_seconds', 'cpu_user_seconds', 'cpu_system_seconds'] as const

/** Other programs tell neither attempts apart nor counters. */
export const hasCounters = (columns: ReadonlySet<string>): boolean =>
  ['attempt', ...counterColumns].every((name) => columns.has(name))

type Guard = <T>(work: () => T) => T

/** The samples of one attempt in a series file, by whichever program it was written. */
export function fileSeries(
  database: DatabaseSync,
  place: SeriesPlace,
  columns: ReadonlySet<string>,
  guard: Guard,
): SeriesReader {
  if (!hasCounters(columns)) return guard(() => seriesOfOthers(database, place))
  return new TableSeries({
    samples: 'job_resource_samples',
    devices: 'job_device_samples',
    where: 'job_id = ? AND attempt = ?',
    values: [place.jobId, place.attempt],
    prepare: (sql) => database.prepare(sql),
    guard,
  })
}

/** Other programs may write times as text. */
function seriesOfOthers(database: DatabaseSync, { jobId, attempt }: SeriesPlace): SeriesReader {
  const columns = figuresIn((sql) => database.prepare(sql), 'job_resource_samples')
  const figures = columns.map((name) => (name === 'timestamp' ? timeAsNumber : asFigure(name)))
  const select = database.prepare(`
    SELECT ${[...figures, asFigure('cpu_percent')].join(', ')} FROM job_resource_samples
    WHERE job_id = ? ORDER BY ${timeAsNumber}, rowid`)
  const found = attempt === 1 ? figureRows(select, [jobId]) : []
  const percents = Float64Array.from(found, (row) => row.at(-1) ?? Number.NaN)
  const rows = found.map((row) => row.slice(0, -1))
  const { basis, ...samples } = withCounters({ columns, rows }, percents)
  return new HeldSeries([samples], [], basis)
}

export const timeAsNumber =
  "CASE typeof(timestamp) WHEN 'text' THEN unixepoch(timestamp, 'subsec') ELSE timestamp END"
