import type { SampleRow } from '../../model/sample.ts'
import type { Columns, DeviceRows } from '../../model/series.ts'
import { firstColumns } from '../series/first-columns.ts'
import { arranged } from '../series/held-series.ts'
import type { SeriesReader, SeriesWriter } from '../series/series.ts'
import { ColumnTable } from '../sqlite/column-table.ts'
import type { Connection } from '../sqlite/connection.ts'
import { figureRows } from '../sqlite/figure-rows.ts'
import { TableSeries } from '../sqlite/table-series.ts'

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

/** The samples of an attempt, by its task id. */
export const ledgerSeries = (connection: Connection, taskId: string): SeriesReader =>
  new TableSeries({
    samples: 'sample',
    devices: 'device_sample',
    where: 'attempt_id = (SELECT id FROM attempt WHERE task_id = ?)',
    values: [taskId],
    prepare: (sql) => connection.prepare(sql),
    guard: (work) => connection.guard(work),
  })

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
