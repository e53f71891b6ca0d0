import { join } from 'node:path'
import { cpuRoomSeconds } from '../../model/cpu-room.ts'
import { sampleColumns, sampleIndex, sampleWidth } from '../../model/sample.ts'
import type { Connection } from './connection.ts'
import { StoreError } from '../errors.ts'
import { openPrivate } from './open.ts'
import { number } from './row.ts'

/** Which run a series file belongs to. */
export interface SeriesRun {
  readonly host: string
  readonly workflowId: number
  readonly runId: number
}

/** A job as its series file names it. */
export interface SeriesJob {
  readonly jobId: number
  readonly jobName: string
  readonly taskId: string
  readonly cores: number
  readonly requestedCpus: number | null
  readonly requestedMemoryBytes: number | null
  readonly requestedRuntimeSeconds: number | null
}

/** `<output_dir>/resource_utilization/resource_metrics_<hostname>_<workflow_id>_<run_id>.db` */
export function seriesPath(outputDirectory: string, run: SeriesRun): string {
  // A host name is not ours: it must not become a way to another directory.
  const host = run.host.replaceAll(/[^\w.-]/g, '_')
  const name = `resource_metrics_${host}_${run.workflowId}_${run.runId}.db`
  return join(outputDirectory, 'resource_utilization', name)
}

const formatVersion = 1
/** The columns that people's queries and plots know come first; then the attempt; then what else was sampled. */
const knownColumns = ['timestamp', 'memory_bytes', 'num_processes']
const furtherColumns = sampleColumns.filter(({ name }) => !knownColumns.includes(name))
const furtherNames = furtherColumns.map(({ name }) => name)
const schema = `
  CREATE TABLE job_resource_samples (
    job_id INTEGER NOT NULL, timestamp REAL NOT NULL, cpu_percent REAL, memory_bytes INTEGER,
    num_processes INTEGER, attempt INTEGER NOT NULL, ${furtherNames.map((name) => `${name} REAL`).join(', ')});
  CREATE INDEX job_resource_samples_by_job ON job_resource_samples (job_id, timestamp);
  CREATE TABLE job_metadata (
    job_id INTEGER PRIMARY KEY, job_name TEXT NOT NULL, task_id TEXT NOT NULL, cores INTEGER NOT NULL,
    requested_cpus REAL, requested_memory_bytes REAL, requested_runtime_seconds REAL);
  PRAGMA user_version = ${formatVersion};`
const insertSample = `
  INSERT INTO job_resource_samples (
    job_id, timestamp, cpu_percent, memory_bytes, num_processes, attempt, ${furtherNames.join(', ')})
  VALUES (${Array.from({ length: 6 + furtherNames.length }, () => '?').join(', ')})`
const insertJob = `
  INSERT OR REPLACE INTO job_metadata VALUES (?, ?, ?, ?, ?, ?, ?)`

/** The samples of one run in a file of their own, open to `sqlite3` while the run goes on. */
export class SeriesFile {
  readonly #connection: Connection
  /** Where each attempt's CPU counter stood at its last sample, as far as it has been shown. */
  readonly #last = new Map<string, Shown>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  addJob(job: SeriesJob): void {
    this.#connection.run(
      insertJob,
      job.jobId,
      job.jobName,
      job.taskId,
      job.cores,
      job.requestedCpus,
      job.requestedMemoryBytes,
      job.requestedRuntimeSeconds,
    )
  }

  addSamples(jobId: number, attempt: number, rows: Float64Array, count: number): void {
    this.#connection.transaction(() => {
      const statement = this.#connection.prepare(insertSample)
      for (let index = 0; index < count; index++) {
        const row = rows.subarray(index * sampleWidth, (index + 1) * sampleWidth)
        statement.run(
          jobId,
          row[sampleIndex.timestamp] ?? null,
          this.#cpuPercent(`${jobId}/${attempt}`, row),
          row[sampleIndex.memory_bytes] ?? null,
          row[sampleIndex.num_processes] ?? null,
          attempt,
          ...furtherColumns.map(({ name }) => row[sampleIndex[name]] ?? null),
        )
      }
    })
  }

  close(): void {
    this.#connection.close()
  }

  /** Since the sample before; null for the first, of which no rate is known. */
  #cpuPercent(key: string, row: Float64Array): number | null {
    const elapsed = row[sampleIndex.elapsed_seconds] ?? 0
    const cpu =
      (row[sampleIndex.cpu_user_seconds] ?? NaN) + (row[sampleIndex.cpu_system_seconds] ?? NaN)
    const threads = row[sampleIndex.num_threads] ?? NaN
    const last = this.#last.get(key)
    if (!Number.isFinite(cpu)) return null
    if (last === undefined || elapsed <= last.elapsed || cpu < last.cpu) {
      this.#last.set(key, { elapsed, cpu, threads })
      return null
    }
    const step = elapsed - last.elapsed
    const increase = cpu - last.cpu
    const room = cpuRoomSeconds(step, Math.max(threads, last.threads), increase)
    const shown = Math.min(increase, room)
    // What a step has no room for is shown in the next.
    this.#last.set(key, { elapsed, cpu: last.cpu + shown, threads })
    return (shown / step) * 100
  }
}

interface Shown {
  readonly elapsed: number
  readonly cpu: number
  readonly threads: number
}

/** Opens a run's series file, or makes it. */
export function openSeriesFile(path: string): SeriesFile {
  return openPrivate(path, {}, (connection) => {
    const version = number(connection.row('PRAGMA user_version') ?? {}, 'user_version')
    if (version > formatVersion)
      throw new StoreError(
        'newer',
        path,
        `written by version ${version}; this build writes version ${formatVersion}. Use another output directory`,
      )
    if (version === 0) {
      connection.chooseJournal()
      connection.transaction(() => connection.script(schema))
    }
    return new SeriesFile(connection)
  })
}
