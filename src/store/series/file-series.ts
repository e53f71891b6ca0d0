import type { Columns, DeviceSeries, Series } from '../../model/series.ts'
import type { DatabaseSync } from 'node:sqlite'
import { quoted } from '../sqlite/column-table.ts'
import { figureRows, within } from '../sqlite/figure-rows.ts'
import { columnsAmong, sampleColumnNames } from './columns.ts'
import {
  arranged,
  devicesOf,
  withFigures,
  type FoundDevice,
  type NamedRows,
} from './held-series.ts'
import type { SeriesPlace } from './series-file-writer.ts'
import { withCounters, type Reconstructed } from './series-upgrade.ts'
import type { SeriesQuery, SeriesReader, TimeRange } from './series.ts'

const nothing: SeriesQuery = {}

/** The samples of one attempt in a series file, by whichever program it was written. */
export class FileSeries implements SeriesReader {
  readonly #database: DatabaseSync
  readonly #place: SeriesPlace
  readonly #there: ReadonlySet<string>
  readonly #guard: <T>(work: () => T) => T

  /** `there`: the columns of `job_resource_samples`. */
  constructor(
    database: DatabaseSync,
    place: SeriesPlace,
    there: ReadonlySet<string>,
    guard: <T>(work: () => T) => T,
  ) {
    this.#database = database
    this.#place = place
    this.#there = there
    this.#guard = guard
  }

  columns(): Columns {
    return this.#guard(() => withFigures([this.#samples(nothing)], sampleColumnNames))
  }

  read(query: SeriesQuery = nothing): Series {
    return this.#guard(() => {
      const found = this.#samples(query)
      return { ...arranged([found], query), basis: found.basis }
    })
  }

  devices(range: TimeRange = {}): readonly DeviceSeries[] {
    return this.#guard(() => {
      const info = this.#database.prepare('PRAGMA table_info(job_device_samples)').all()
      const columns = columnsAmong(info.map(({ name }) => String(name)))
      const { sql, values } = within(range)
      const { jobId, attempt } = this.#place
      const select = this.#database.prepare(`
        SELECT ${columns.map(asFigure).join(', ')} FROM job_device_samples
        WHERE job_id = ? AND attempt = ? AND kind = ? AND device = ?${sql}
        ORDER BY elapsed_seconds, rowid`)
      const found = this.#database
        .prepare(
          `SELECT kind, device FROM job_device_samples WHERE job_id = ? AND attempt = ?
           GROUP BY kind, device ORDER BY min(rowid)`,
        )
        .all(jobId, attempt)
        .map(({ kind, device }): FoundDevice => {
          const rows = figureRows(select, [jobId, attempt, kind ?? null, device ?? null, ...values])
          return { kind: String(kind), id: String(device), columns, rows }
        })
      return devicesOf(found, range)
    })
  }

  #samples(range: TimeRange): Reconstructed {
    const isOurs = ['elapsed_seconds', 'cpu_user_seconds', 'attempt'].every((name) =>
      this.#there.has(name),
    )
    return isOurs ? { ...this.#stored(range), basis: {} } : this.#ofOthers()
  }

  #stored(range: TimeRange): NamedRows {
    const columns = this.#figures()
    const { sql, values } = within(range)
    const { jobId, attempt } = this.#place
    const select = this.#database.prepare(`
      SELECT ${columns.map(asFigure).join(', ')} FROM job_resource_samples
      WHERE job_id = ? AND attempt = ?${sql} ORDER BY elapsed_seconds, rowid`)
    return { columns, rows: figureRows(select, [jobId, attempt, ...values]) }
  }

  /** Another program's: it tells neither attempts apart nor counters, and may have written times as text. */
  #ofOthers(): Reconstructed {
    const columns = this.#figures()
    const figures = columns.map((name) => (name === 'timestamp' ? timeAsNumber : asFigure(name)))
    const select = this.#database.prepare(`
      SELECT ${[...figures, asFigure('cpu_percent')].join(', ')} FROM job_resource_samples
      WHERE job_id = ? ORDER BY ${timeAsNumber}, rowid`)
    const found = this.#place.attempt === 1 ? figureRows(select, [this.#place.jobId]) : []
    const percents = Float64Array.from(found, (row) => row.at(-1) ?? Number.NaN)
    return withCounters({ columns, rows: found.map((row) => row.slice(0, -1)) }, percents)
  }

  /** Of this build's columns all that the file has, in this build's order, then all others. */
  #figures(): Columns {
    const there = columnsAmong(this.#there)
    return [...new Set([...sampleColumnNames, ...there])].filter((name) => this.#there.has(name))
  }
}

/** Other programs write times as text too. */
export const timeAsNumber =
  "CASE typeof(timestamp) WHEN 'text' THEN unixepoch(timestamp, 'subsec') ELSE timestamp END"

/** An integer beyond 2^53 would make the reader throw. */
const asFigure = (name: string): string => `CAST(${quoted(name)} AS REAL)`
