import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'
import { sampleNames } from '../../model/sample.ts'
import type { Columns } from '../../model/series.ts'
import type { Connection } from './connection.ts'
import { arrays, figuresIn, numberOrNaN, quoted } from './figure-rows.ts'
import { number } from './row.ts'

/** A row of a table of samples. */
export interface FollowedRow {
  readonly rowId: number
  /** Of the columns that are no figures. */
  readonly keys: readonly SQLOutputValue[]
  readonly values: Float64Array
}

/** The last row of a device, and how many there are of it. Its kind and id are the last two keys. */
export interface LastDeviceRow extends FollowedRow {
  readonly length: number
}

/** A table of samples, or of rows of devices, that others add to. Rows come in the order in which they were written. */
export class FollowedTable {
  readonly #connection: Connection
  readonly #table: string
  readonly #keys: readonly string[]
  /** Those of this build, whatever the table has; without it, those of the table. */
  readonly #known: Columns | undefined
  #columns: Columns = []
  #figures: readonly string[] = []
  #schemaVersion = -1

  constructor(
    connection: Connection,
    table: string,
    keys: readonly string[],
    kind: 'samples' | 'devices',
  ) {
    this.#connection = connection
    this.#table = table
    this.#keys = keys
    this.#known = kind === 'samples' ? sampleNames : undefined
  }

  /** What the values of a row are. */
  get columns(): Columns {
    return this.#columns
  }

  /** The id of its newest row; 0 where it has none. */
  newestId(): number {
    const row = this.#connection.row(`SELECT coalesce(max(rowid), 0) AS id FROM ${this.#table}`)
    return number(row ?? {}, 'id')
  }

  /** `choice`: what comes after FROM, of constants only. */
  rows(choice: string, ...values: SQLInputValue[]): FollowedRow[] {
    return this.#connection.guard(() => {
      this.#learnColumns()
      const names = ['rowid', ...this.#keys, ...this.#figures]
      const statement = this.#connection.prepare(
        `SELECT ${names.join(', ')} FROM ${this.#table} ${choice}`,
      )
      const first = 1 + this.#keys.length
      return arrays(statement, values).map((row) => ({
        rowId: Number(row[0]),
        keys: row.slice(1, first),
        values: Float64Array.from(row.slice(first), figureIn),
      }))
    })
  }

  /** Of a table of devices: the last row of each device that is among the rows chosen. */
  lastOfDevices(where: string, ...values: SQLInputValue[]): LastDeviceRow[] {
    const counts = this.#connection.rows(
      `SELECT max(rowid) AS id, count(*) AS length FROM ${this.#table} WHERE ${where} GROUP BY kind, device`,
      ...values,
    )
    return counts.flatMap((row) => {
      const length = number(row, 'length')
      return this.rows('WHERE rowid = ?', number(row, 'id')).map((last) => ({ ...last, length }))
    })
  }

  /** Whoever writes may add columns. */
  #learnColumns(): void {
    const found = this.#connection.row('PRAGMA schema_version') ?? {}
    const version = number(found, 'schema_version')
    if (version === this.#schemaVersion) return
    this.#schemaVersion = version
    const there = figuresIn((sql) => this.#connection.prepare(sql), this.#table)
    this.#columns = this.#known ?? there
    this.#figures = this.#columns.map((name) => (there.includes(name) ? quoted(name) : 'NULL'))
  }
}

/** Tables that people read have integers too. */
const figureIn = (value: SQLOutputValue): number =>
  typeof value === 'bigint' ? Number(value) : numberOrNaN(value)
