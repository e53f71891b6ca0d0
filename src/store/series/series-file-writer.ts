import type { Columns, DeviceRows } from '../../model/series.ts'
import { cpuRoomSeconds } from '../../model/cpu-room.ts'
import { ColumnTable } from '../sqlite/column-table.ts'
import type { Connection } from '../sqlite/connection.ts'
import { sampleNames } from '../../model/sample.ts'
import type { SeriesWriter } from './series.ts'

/** Which attempt of which job of the file. */
export interface SeriesPlace {
  readonly jobId: number
  readonly attempt: number
}

/** Samples of one attempt in a run's series file: what was read, and the rate that people ask for. */
export class SeriesFileWriter implements SeriesWriter {
  readonly #connection: Connection
  readonly #place: SeriesPlace
  readonly #insert: ReturnType<ColumnTable['inserter']>
  readonly #keysOf: (row: Float64Array) => readonly (number | null)[]

  constructor(connection: Connection, place: SeriesPlace, columns: Columns) {
    this.#connection = connection
    this.#place = place
    const keys = ['job_id', 'attempt', 'cpu_percent']
    const table = new ColumnTable(connection, 'job_resource_samples', keys, sampleNames)
    this.#insert = table.inserter(columns)
    const shown = new ShownCpu(columns)
    this.#keysOf = (row) => [place.jobId, place.attempt, shown.percent(row)]
  }

  add(rows: Float64Array, count: number): void {
    this.#connection.transaction(() => this.#insert(rows, count, this.#keysOf))
  }

  addDevice({ kind, id, columns, rows, count }: DeviceRows): void {
    const names = ['job_id', 'attempt', 'kind', 'device']
    const own = ['timestamp', 'elapsed_seconds']
    const table = new ColumnTable(this.#connection, 'job_device_samples', names, own)
    const keys = [this.#place.jobId, this.#place.attempt, kind, id]
    this.#connection.transaction(() => table.inserter(columns)(rows, count, () => keys))
  }
}

/** Where an attempt's CPU counter stood at its last sample, as far as it has been shown. */
class ShownCpu {
  readonly #elapsedAt: number
  readonly #userAt: number
  readonly #systemAt: number
  readonly #threadsAt: number
  #elapsed = Number.NaN
  #cpu = Number.NaN
  #threads = Number.NaN

  constructor(columns: Columns) {
    this.#elapsedAt = columns.indexOf('elapsed_seconds')
    this.#userAt = columns.indexOf('cpu_user_seconds')
    this.#systemAt = columns.indexOf('cpu_system_seconds')
    this.#threadsAt = columns.indexOf('num_threads')
  }

  /** Since the sample before; null for the first, of which no rate is known. */
  percent(row: Float64Array): number | null {
    const elapsed = row[this.#elapsedAt] ?? 0
    const cpu = (row[this.#userAt] ?? Number.NaN) + (row[this.#systemAt] ?? Number.NaN)
    const threads = row[this.#threadsAt] ?? Number.NaN
    if (!Number.isFinite(cpu)) return null
    const step = elapsed - this.#elapsed
    const increase = cpu - this.#cpu
    const mostThreads = Math.max(threads, this.#threads)
    this.#elapsed = elapsed
    this.#threads = threads
    if (!(step > 0) || increase < 0) {
      this.#cpu = cpu
      return null
    }
    const shown = Math.min(increase, cpuRoomSeconds(step, mostThreads, increase))
    // What a step has no room for is shown in the next.
    this.#cpu += shown
    return (shown / step) * 100
  }
}
