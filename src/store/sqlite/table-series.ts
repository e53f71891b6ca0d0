import type { SQLInputValue, StatementSync } from 'node:sqlite'
import type { Columns, DeviceSeries, Series, SeriesColumns } from '../../model/series.ts'
import { sampleNames } from '../../model/sample.ts'
import {
  arranged,
  devicesOf,
  isAscending,
  withFigures,
  type FoundDevice,
  type NamedRows,
} from '../series/held-series.ts'
import type { SeriesQuery, SeriesReader, TimeRange } from '../series/series.ts'
import { figureColumns } from './figure-columns.ts'
import { arrays, asFigure, columnTypes, figureRows, figuresIn, quoted } from './figure-rows.ts'

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

  /** Samples lie in order of time; where they do not, all is read again and put in order. */
  readColumns(columns: Columns, range: TimeRange = {}): SeriesColumns {
    return this.#tables.guard(() => {
      const { samples } = this.#tables
      const types = columnTypes((sql) => this.#tables.prepare(sql), samples)
      const figures = columns.map((name) => figureOf(name, types.get(name)))
      const time = columns.indexOf('elapsed_seconds')
      const inFile = this.#select(samples, figures, range, [], 'rowid')
      const values = figureColumns(...inFile, columns.length)
      if (isAscending(values[time] ?? new Float64Array())) return { columns, values }
      const sorted = this.#select(samples, figures, range, [], 'elapsed_seconds, rowid')
      return { columns, values: figureColumns(...sorted, columns.length) }
    })
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

  #samples(query: SeriesQuery): NamedRows {
    const { samples } = this.#tables
    const columns = this.#figures(samples)
    return { columns, rows: this.#rows(samples, columns, query, []) }
  }

  #figures(table: string): Columns {
    return figuresIn((sql) => this.#tables.prepare(sql), table)
  }

  #rows(
    table: string,
    columns: Columns,
    { newest, ...range }: Omit<SeriesQuery, 'columns'>,
    device: readonly SQLInputValue[],
  ): Float64Array[] {
    const figures = columns.map(asFigure)
    if (newest === undefined)
      return figureRows(...this.#select(table, figures, range, device, 'elapsed_seconds, rowid'))
    // Backwards through the index: of a million rows only these are read.
    const [last, given] = this.#select(table, figures, range, device, 'rowid DESC LIMIT ?')
    return figureRows(last, [...given, newest]).toReversed()
  }

  /** The statement, and the values for it. */
  #select(
    table: string,
    figures: readonly string[],
    { fromSeconds, toSeconds }: TimeRange,
    device: readonly SQLInputValue[],
    order: string,
  ): [StatementSync, SQLInputValue[]] {
    const { where, values } = this.#tables
    const conditions = [
      where,
      ...(device.length > 0 ? ['kind = ? AND device = ?'] : []),
      ...(fromSeconds === undefined ? [] : ['elapsed_seconds >= ?']),
      ...(toSeconds === undefined ? [] : ['elapsed_seconds <= ?']),
    ]
    const limits = [fromSeconds, toSeconds].filter((limit) => limit !== undefined)
    const select = this.#tables.prepare(`SELECT ${figures.join(', ')} FROM ${table}
      WHERE ${conditions.join(' AND ')} ORDER BY ${order}`)
    return [select, [...values, ...device, ...limits]]
  }
}

/** A column of REAL holds no integer that could not be read: it is taken as it is, in half the time. */
function figureOf(name: string, type: string | undefined): string {
  if (type === undefined) return 'NULL'
  return type === 'REAL' ? quoted(name) : asFigure(name)
}
