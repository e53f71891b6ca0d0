import type { SQLInputValue, StatementSync } from 'node:sqlite'
import type { Columns, DeviceSeries, Series } from '../../model/series.ts'
import { sampleNames } from '../../model/sample.ts'
import {
  arranged,
  devicesOf,
  withFigures,
  type FoundDevice,
  type NamedRows,
} from '../series/held-series.ts'
import type { SeriesQuery, SeriesReader, TimeRange } from '../series/series.ts'
import { arrays, asFigure, figureRows, figuresIn } from './figure-rows.ts'

/** Where the samples of one attempt are, and the rows of its devices. */
export interface SeriesTables {
  readonly samples: string
  readonly devices: string
  /** Which rows of either table are the attempt's. */
  readonly where: string
  readonly values: readonly SQLInputValue[]
  prepare(sql: string): StatementSync
  /** Has the file's own words for what is wrong with it. */
  guard<T>(work: () => T): T
}

/** The samples of one attempt in tables that have a column for each figure, by its name. */
export class TableSeries implements SeriesReader {
  readonly #tables: SeriesTables

  constructor(tables: SeriesTables) {
    this.#tables = tables
  }

  columns(): Columns {
    return this.#tables.guard(() => withFigures([this.#samples({})], sampleNames))
  }

  read(query: SeriesQuery = {}): Series {
    return this.#tables.guard(() => arranged([this.#samples(query)], query))
  }

  devices(range: TimeRange = {}): readonly DeviceSeries[] {
    const { devices, where, values } = this.#tables
    return this.#tables.guard(() => {
      const list = this.#tables.prepare(
        `SELECT kind, device FROM ${devices} WHERE ${where} GROUP BY kind, device ORDER BY min(rowid)`,
      )
      const columns = this.#figures(devices)
      const found = arrays(list, values).map(([kind = null, device = null]): FoundDevice => {
        const rows = this.#rows(devices, columns, range, [kind, device])
        return { kind: String(kind), id: String(device), columns, rows }
      })
      return devicesOf(found, range)
    })
  }

  #samples(range: TimeRange): NamedRows {
    const { samples } = this.#tables
    const columns = this.#figures(samples)
    return { columns, rows: this.#rows(samples, columns, range, []) }
  }

  #figures(table: string): Columns {
    return figuresIn((sql) => this.#tables.prepare(sql), table)
  }

  #rows(
    table: string,
    columns: Columns,
    { fromSeconds, toSeconds }: TimeRange,
    device: readonly SQLInputValue[],
  ): Float64Array[] {
    const { where, values } = this.#tables
    const conditions = [
      where,
      ...(device.length > 0 ? ['kind = ? AND device = ?'] : []),
      ...(fromSeconds === undefined ? [] : ['elapsed_seconds >= ?']),
      ...(toSeconds === undefined ? [] : ['elapsed_seconds <= ?']),
    ]
    const limits = [fromSeconds, toSeconds].filter((limit) => limit !== undefined)
    const select = this.#tables.prepare(`SELECT ${columns.map(asFigure).join(', ')} FROM ${table}
      WHERE ${conditions.join(' AND ')} ORDER BY elapsed_seconds, rowid`)
    return figureRows(select, [...values, ...device, ...limits])
  }
}
