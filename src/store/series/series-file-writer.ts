import type { Columns, DeviceRows } from '../../model/series.ts'
import { cpuPercents, type CpuCounters } from '../../model/cpu/cpu-percents.ts'
import { ColumnTable } from '../sqlite/column-table.ts'
import type { Connection } from '../sqlite/connection.ts'
import { sampleNames } from '../../model/sample.ts'
import type { SeriesWriter } from './series.ts'
import { coresOf } from './settle-cpu.ts'

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
    const cpu = new CpuSoFar(columns, coresOf(connection, place.jobId))
    this.#keysOf = (row) => [place.jobId, place.attempt, cpu.percent(row)]
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

/**
 * The rate since the sample before, as far as those two tell. When the attempt has ended, `settleCpuPercents` puts what all
 * samples tell in its place.
 */
class CpuSoFar {
  readonly #at: Readonly<Record<keyof CpuCounters, number>>
  readonly #cores: number
  /** Of the two last samples that have CPU times. */
  readonly #two: CpuCounters = {
    elapsedSeconds: new Float64Array(2).fill(Number.NaN),
    userSeconds: new Float64Array(2).fill(Number.NaN),
    systemSeconds: new Float64Array(2).fill(Number.NaN),
    threads: new Float64Array(2).fill(Number.NaN),
  }

  constructor(columns: Columns, cores: number) {
    this.#cores = cores
    this.#at = {
      elapsedSeconds: columns.indexOf('elapsed_seconds'),
      userSeconds: columns.indexOf('cpu_user_seconds'),
      systemSeconds: columns.indexOf('cpu_system_seconds'),
      threads: columns.indexOf('num_threads'),
    }
  }

  /** null for the first sample, of which no rate is known, and for one without CPU times. */
  percent(row: Float64Array): number | null {
    const { userSeconds, systemSeconds } = this.#at
    if (!Number.isFinite((row[userSeconds] ?? Number.NaN) + (row[systemSeconds] ?? Number.NaN)))
      return null
    for (const name of ['elapsedSeconds', 'userSeconds', 'systemSeconds', 'threads'] as const) {
      const pair = this.#two[name]
      pair[0] = pair[1] ?? Number.NaN
      pair[1] = row[this.#at[name]] ?? Number.NaN
    }
    const percent = cpuPercents(this.#two, this.#cores)[1] ?? Number.NaN
    return Number.isNaN(percent) ? null : percent
  }
}
