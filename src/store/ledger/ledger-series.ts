import type { Columns, DeviceSeries, Series } from '../../model/series.ts'
import { sampleColumnNames } from '../series/columns.ts'
import { firstColumns } from '../series/first-columns.ts'
import {
  arranged,
  devicesOf,
  withFigures,
  type FoundDevice,
  type NamedRows,
} from '../series/held-series.ts'
import type {
  DeviceRows,
  SeriesQuery,
  SeriesReader,
  SeriesWriter,
  TimeRange,
} from '../series/series.ts'
import type { SampleRow } from '../../model/sample.ts'
import { ColumnTable, quoted } from '../sqlite/column-table.ts'
import type { Connection } from '../sqlite/connection.ts'
import { figureRows, within } from '../sqlite/figure-rows.ts'
import { text } from '../sqlite/row.ts'

const timeColumns: Columns = ['timestamp', 'elapsed_seconds']
const sampleTable = (connection: Connection): ColumnTable =>
  new ColumnTable(connection, 'sample', ['attempt_id'], firstColumns)
const deviceTable = (connection: Connection): ColumnTable =>
  new ColumnTable(connection, 'device_sample', ['attempt_id', 'kind', 'device'], timeColumns)

const countSamples = `
  UPDATE attempt SET samples_collected = samples_collected + ? WHERE id = ? AND status = 'running'`

/** Samples of an attempt that is in the ledger, and of its devices. */
export class LedgerSeriesWriter implements SeriesWriter {
  readonly #connection: Connection
  readonly #attemptId: number
  readonly #insert: ReturnType<ColumnTable['inserter']>
  readonly #keys: () => readonly [number]

  constructor(connection: Connection, attemptId: number, columns: Columns) {
    this.#connection = connection
    this.#attemptId = attemptId
    this.#insert = sampleTable(connection).inserter(columns)
    const keys = [attemptId] as const
    this.#keys = () => keys
  }

  add(rows: Float64Array, count: number): void {
    if (count === 0) return
    this.#connection.transaction(() => {
      this.#insert(rows, count, this.#keys)
      this.#connection.run(countSamples, count, this.#attemptId)
    })
  }

  addDevice({ kind, id, columns, rows, count }: DeviceRows): void {
    const keys = [this.#attemptId, kind, id]
    this.#connection.transaction(() =>
      deviceTable(this.#connection).inserter(columns)(rows, count, () => keys),
    )
  }
}

const ofTask = 'attempt_id = (SELECT id FROM attempt WHERE task_id = ?)'
const devicesOfTask = `
  SELECT kind, device FROM device_sample WHERE ${ofTask} GROUP BY kind, device ORDER BY min(id)`

export class LedgerSeriesReader implements SeriesReader {
  readonly #connection: Connection
  readonly #taskId: string

  constructor(connection: Connection, taskId: string) {
    this.#connection = connection
    this.#taskId = taskId
  }

  columns(): Columns {
    return this.#connection.guard(() => withFigures([this.#samples({})], sampleColumnNames))
  }

  read(query: SeriesQuery = {}): Series {
    return this.#connection.guard(() => arranged([this.#samples(query)], query))
  }

  devices(range: TimeRange = {}): readonly DeviceSeries[] {
    const columns = deviceTable(this.#connection).columns()
    const { sql, values } = within(range)
    return this.#connection.guard(() => {
      const select = this.#connection.prepare(`
        SELECT ${columns.map(quoted).join(', ')} FROM device_sample
        WHERE ${ofTask} AND kind = ? AND device = ?${sql} ORDER BY elapsed_seconds, id`)
      const found = this.#connection
        .rows(devicesOfTask, this.#taskId)
        .map((row) => ({ kind: text(row, 'kind'), id: text(row, 'device') }))
        .map(({ kind, id }): FoundDevice => {
          const rows = figureRows(select, [this.#taskId, kind, id, ...values])
          return { kind, id, columns, rows }
        })
      return devicesOf(found, range)
    })
  }

  /** Of this build's columns all that the ledger has, in this build's order, then all others. */
  #samples(range: TimeRange): NamedRows {
    const there = new Set(sampleTable(this.#connection).columns())
    const columns = [...new Set([...sampleColumnNames, ...there])].filter((name) => there.has(name))
    const { sql, values } = within(range)
    const select = `SELECT ${columns.map(quoted).join(', ')} FROM sample
      WHERE ${ofTask}${sql} ORDER BY elapsed_seconds, id`
    return {
      columns,
      rows: figureRows(this.#connection.prepare(select), [this.#taskId, ...values]),
    }
  }
}

/** How many rows there are of an attempt. */
export const keptSamples = '(SELECT count(*) FROM sample WHERE attempt_id = attempt.id)'
export const keptDeviceRows = '(SELECT count(*) FROM device_sample WHERE attempt_id = attempt.id)'

const lastOfAttempt = `
  SELECT ${firstColumns.join(', ')} FROM sample
  WHERE attempt_id = ? ORDER BY elapsed_seconds DESC, id DESC LIMIT 1`

export function lastSampleOf(connection: Connection, attemptId: number): SampleRow | null {
  const rows = figureRows(connection.prepare(lastOfAttempt), [attemptId])
  return arranged([{ columns: firstColumns, rows }], {}).rows[0] ?? null
}
