import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import type { Mark } from '../../model/marks/mark.ts'
import type { Usage } from '../../model/usage.ts'
import { asStoreError, StoreError } from '../errors.ts'
import { refuseStrangeCompanions } from '../private-file.ts'
import { isForeignToRoot } from '../strangers.ts'
import { openFinished } from '../sqlite/open-to-read.ts'
import { arrays, numberOrNaN } from '../sqlite/figure-rows.ts'
import { soundMark } from '../sqlite/mark-row.ts'
import { usageOfRow } from './series-figures.ts'
import { eachSample, type FileQuery, type SeriesFileSample } from './each-sample.ts'
import { fileSeries, hasCounters } from './file-series.ts'
import type { SeriesAttempt } from './series-file.ts'
import { seriesTables, seriesVersion } from './series-schema.ts'
import { upgradeSeries } from './series-upgrade.ts'
import type { SeriesReader } from './series.ts'

/** A job of a series file. What a file of the documented columns only does not say is null. */
export interface SeriesFileJob {
  readonly jobId: number
  readonly jobName: string | null
  /** Of the machine that it ran on. */
  readonly cores: number | null
  readonly requestedCpus: number | null
  readonly requestedMemoryBytes: number | null
  readonly requestedRuntimeSeconds: number | null
}

/** An attempt of a series file with its own figures, as its record has them. */
export interface SeriesFileAttempt extends SeriesAttempt {
  readonly status: string
  readonly endedAt: number | null
  readonly durationSeconds: number | null
  /** null while it runs, and where its runner died. */
  readonly usage: Usage | null
}

const tablesRead = Object.keys(seriesTables)
  .map((name) => `'${name}'`)
  .join(', ')

/** A run's samples, by whichever program they were written. The file is never changed. */
export class SeriesFileReader {
  readonly path: string
  readonly #database: DatabaseSync
  readonly #sampleColumns: ReadonlySet<string>

  constructor(database: DatabaseSync, path: string) {
    this.#database = database
    this.path = path
    this.#refuseViews()
    this.#sampleColumns = this.#columns('job_resource_samples')
    for (const name of ['job_id', 'timestamp', 'cpu_percent', 'memory_bytes'])
      if (!this.#sampleColumns.has(name))
        throw notSeries(path, `no table job_resource_samples with a column ${name}`)
    const version = Number(this.#all('PRAGMA user_version')[0]?.[0])
    if (version > seriesVersion)
      throw new StoreError(
        'newer',
        path,
        `written by version ${version}; this build reads up to version ${seriesVersion}`,
      )
    this.#guard(() => upgradeSeries(database, version))
  }

  /** Those that have samples or a name, by id. */
  jobs(): SeriesFileJob[] {
    const known = this.#columns('job_metadata')
    if (!known.has('job_id')) return []
    const column = (name: string) => (known.has(name) ? name : 'NULL')
    const asked = ['requested_cpus', 'requested_memory_bytes', 'requested_runtime_seconds']
    const sql = `SELECT job_id, ${[column('job_name'), column('cores'), ...asked.map(column)].join(', ')}
      FROM job_metadata ORDER BY job_id`
    return this.#all(sql).map(([jobId, jobName, cores, cpus, memory, runtime]) => ({
      jobId: Number(jobId),
      jobName: typeof jobName === 'string' ? jobName : null,
      cores: numberOrNull(cores),
      requestedCpus: numberOrNull(cpus),
      requestedMemoryBytes: numberOrNull(memory),
      requestedRuntimeSeconds: numberOrNull(runtime),
    }))
  }

  /** All attempts with their figures; none in a file of version 1, or of another program. */
  attempts(): SeriesFileAttempt[] {
    return this.#guard(() =>
      this.#database
        .prepare('SELECT * FROM job_attempts ORDER BY job_id, attempt')
        .all()
        .map((row) => ({
          taskId: String(row['task_id']),
          jobId: numberOrNaN(row['job_id']),
          attempt: numberOrNaN(row['attempt']),
          startedAt: numberOrNaN(row['started_at']),
          status: String(row['status']),
          endedAt: numberOrNull(row['ended_at']),
          durationSeconds: numberOrNull(row['duration_seconds']),
          usage: typeof row['ways'] === 'string' ? usageOfRow(row, row['ways']) : null,
        })),
    )
  }

  /** The ledger that the run is of; null where the file does not say. */
  ledger(): string | null {
    const ledger = this.#all('SELECT ledger FROM series_run')[0]?.[0]
    return typeof ledger === 'string' ? ledger : null
  }

  /** Of its attempts; a file of version 1 tells of each job only the last one's. */
  taskIds(): string[] {
    const tables = ['job_attempts', 'job_metadata']
    const known = tables.filter((table) => this.#columns(table).has('task_id'))
    const ids = known.flatMap((table) => this.#all(`SELECT task_id FROM ${table}`))
    return [...new Set(ids.map(([id]) => String(id)))]
  }

  /** The samples of one attempt. */
  series(jobId: number, attempt: number): SeriesReader {
    const place = { jobId, attempt }
    return fileSeries(this.#database, place, this.#sampleColumns, (work) => this.#guard(work))
  }

  /** What the program of an attempt told of, in order of time. One that is damaged is passed over. */
  marks(jobId: number, attempt: number): Mark[] {
    return this.#guard(() =>
      this.#database
        .prepare('SELECT * FROM job_marks WHERE job_id = ? AND attempt = ? ORDER BY timestamp')
        .all(jobId, attempt)
        .flatMap((row) => soundMark(row) ?? []),
    )
  }

  /** Whether samples have the counters of which `cpu_percent` is made. */
  get hasCounters(): boolean {
    return hasCounters(this.#sampleColumns)
  }

  /** Shows every sample of the file, one at a time; they are never all in memory. */
  eachSample(query: FileQuery, visit: (sample: Readonly<SeriesFileSample>) => void): void {
    this.#guard(() => eachSample(this.#database, this.path, this.#sampleColumns, query, visit))
  }

  close(): void {
    this.#database.close()
  }

  /** A view can be a query that never ends. */
  #refuseViews(): void {
    const [view] = this.#all(
      `SELECT name FROM sqlite_schema WHERE name COLLATE NOCASE IN (${tablesRead})
        AND (type <> 'table' OR sql LIKE 'CREATE VIRTUAL%')`,
    )
    if (view !== undefined) throw notSeries(this.path, `${String(view[0])} is not a table`)
  }

  #columns(table: string): ReadonlySet<string> {
    return new Set(this.#all(`PRAGMA table_info(${table})`).map((row) => String(row[1])))
  }

  #all(sql: string): SQLOutputValue[][] {
    return this.#guard(() => {
      return arrays(this.#database.prepare(sql), [])
    })
  }

  #guard<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw asReadError(error, this.path)
    }
  }
}

/** Opens a series file to read it; a StoreError says what is wrong with one that cannot be. */
export function openSeriesReader(path: string): SeriesFileReader {
  const file = resolve(path)
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) throw new StoreError('unreadable', path, 'there is no such file')
  if (!found.isFile()) throw notSeries(path, 'not a file')
  // SQLite writes beside what it reads, and by name: links of others could have root write anywhere.
  if (isForeignToRoot(file))
    throw new StoreError(
      'unreadable',
      path,
      'root does not open a series file that others can change; run this as its owner',
    )
  refuseStrangeCompanions(file)
  const database = openForReader(file, path)
  try {
    return new SeriesFileReader(database, path)
  } catch (error) {
    database.close()
    throw asReadError(error, path)
  }
}

function openForReader(file: string, path: string): DatabaseSync {
  try {
    return openFinished(file)
  } catch (error) {
    throw asReadError(error, path)
  }
}

function asReadError(error: unknown, path: string): StoreError {
  const found = asStoreError(error, path, 'series file')
  if (found === error || found.code === 'corrupt' || found.code === 'locked') return found
  if (found.code === 'not-a-ledger') return notSeries(path, 'not an SQLite database')
  const detail = error instanceof Error ? error.message : String(error)
  return new StoreError(found.code, path, `the series file cannot be read (${detail})`, error)
}

const notSeries = (path: string, why: string): StoreError =>
  new StoreError(
    'not-a-ledger',
    path,
    `this is not the series file of a run: ${why}. Series files are in OUTPUT_DIR/resource_utilization`,
  )

const numberOrNull = (value: SQLOutputValue | undefined): number | null =>
  typeof value === 'number' ? value : null
