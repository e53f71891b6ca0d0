import type { Columns } from '../../model/series.ts'
import type { SQLInputValue } from 'node:sqlite'
import { StoreError } from '../errors.ts'
import { mostColumns, refuseOtherThanColumns } from '../series/columns.ts'
import type { Connection } from './connection.ts'
import { figuresIn, quoted } from './figure-rows.ts'

/**
 * A table that has a column for each figure, by its name. One that it has not gets one when it is first written, which
 * costs rows that are there nothing.
 */
export class ColumnTable {
  readonly #connection: Connection
  readonly #table: string
  /** The columns that are no figures and come first in an insert. */
  readonly #keys: readonly string[]
  /** Figures for which every table of this build has columns. */
  readonly #own: ReadonlySet<string>

  constructor(connection: Connection, table: string, keys: readonly string[], own: Columns) {
    this.#connection = connection
    this.#table = table
    this.#keys = keys
    this.#own = new Set(own)
  }

  /** What adds rows of these columns: to be called inside a transaction. */
  inserter(columns: Columns): RowInserter {
    refuseOtherThanColumns(columns)
    const names = [...this.#keys, ...columns.map(quoted)]
    const places = names.map(() => '?').join(', ')
    const sql = `INSERT INTO ${this.#table} (${names.join(', ')}) VALUES (${places})`
    const hasMore = columns.some((name) => !this.#own.has(name))
    const width = columns.length
    return (rows, count, keysOf) => {
      // Each time: who undoes a transaction undoes new columns too.
      if (hasMore) this.#addMissing(columns)
      const statement = this.#connection.prepare(sql)
      for (let index = 0; index < count; index++) {
        const row = rows.subarray(index * width, (index + 1) * width)
        // SQLite stores NaN as NULL, which is what we want.
        statement.run(...keysOf(row), ...row)
      }
    }
  }

  #addMissing(columns: Columns): void {
    const there = new Set(figuresIn((sql) => this.#connection.prepare(sql), this.#table))
    const missing = columns.filter((name) => !there.has(name))
    if (there.size + missing.length > mostColumns)
      throw new StoreError('conflict', this.#connection.path, 'samples of too many kinds')
    for (const name of missing)
      this.#connection.script(`ALTER TABLE ${this.#table} ADD COLUMN ${quoted(name)} REAL`)
  }
}

type RowInserter = (
  rows: Float64Array,
  count: number,
  keysOf: (row: Float64Array) => readonly SQLInputValue[],
) => void
