import { resolve } from 'node:path'
import { cpuRoomSeconds } from '../../model/cpu-room.ts'
import { sampleColumns, sampleIndex, sampleWidth } from '../../model/sample.ts'
import type { AttemptEnd } from '../ledger/store.ts'
import type { Connection } from '../sqlite/connection.ts'
import { openPrivate } from '../sqlite/open-private.ts'
import { figureColumns, figureValues, figureWays } from './series-figures.ts'
import { makeSeriesPath, type SeriesRun } from './series-path.ts'

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

/** An attempt as its series file knows it from its start. */
export interface SeriesAttempt {
  readonly taskId: string
  readonly jobId: number
  readonly attempt: number
  readonly startedAt: number
}

/**
 * Version 1 had only samples and `job_metadata`. Version 2 has each attempt's own figures too, and says which run of
 * which ledger it belongs to. All columns are read by name: one more is no new version.
 */
export const seriesVersion = 2
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
  CREATE TABLE job_attempts (
    task_id TEXT PRIMARY KEY, job_id INTEGER NOT NULL, attempt INTEGER NOT NULL, started_at REAL NOT NULL,
    ended_at REAL, status TEXT NOT NULL, exit_code INTEGER, duration_seconds REAL,
    ${figureColumns.map((name) => `${name} REAL`).join(', ')}, ways TEXT);
  CREATE TABLE series_run (ledger TEXT NOT NULL, host TEXT NOT NULL, workflow_id INTEGER NOT NULL, run_id INTEGER NOT NULL);
  PRAGMA user_version = ${seriesVersion};`
const insertSample = `
  INSERT INTO job_resource_samples (
    job_id, timestamp, cpu_percent, memory_bytes, num_processes, attempt, ${furtherNames.join(', ')})
  VALUES (${Array.from({ length: 6 + furtherNames.length }, () => '?').join(', ')})`
const insertJob = `
  INSERT OR REPLACE INTO job_metadata VALUES (?, ?, ?, ?, ?, ?, ?)`
const insertAttempt = `
  INSERT OR REPLACE INTO job_attempts (task_id, job_id, attempt, started_at, status) VALUES (?, ?, ?, ?, 'running')`
const endColumns = ['ended_at', 'status', 'exit_code', 'duration_seconds', ...figureColumns, 'ways']
const updateAttempt = `
  UPDATE job_attempts SET ${endColumns.map((name) => `${name} = ?`).join(', ')} WHERE task_id = ?`

/** The samples of one run in a file of their own, open to `sqlite3` while the run goes on. */
export class SeriesFile {
  readonly path: string
  readonly #connection: Connection
  /** Where each attempt's CPU counter stood at its last sample, as far as it has been shown. */
  readonly #last = new Map<string, Shown>()

  constructor(connection: Connection) {
    this.path = connection.path
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

  addAttempt({ taskId, jobId, attempt, startedAt }: SeriesAttempt): void {
    this.#connection.run(insertAttempt, taskId, jobId, attempt, startedAt)
  }

  /** The figures of an attempt that was added, as its record has them: what samples show may be less. */
  endAttempt(taskId: string, { endedAt, durationSeconds, outcome, usage }: AttemptEnd): void {
    const { status, exitCode } = outcome
    const facts = [endedAt, status, exitCode, durationSeconds]
    this.#connection.run(updateAttempt, ...facts, ...figureValues(usage), figureWays(usage), taskId)
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

  /** Whether the file still stands under its name: somebody may have removed it. */
  get isInPlace(): boolean {
    return this.#connection.isInPlace
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

/**
 * Makes the series file of a run. It is always a new one: a file that is there is of another run, though its name may be
 * the same (two ledgers each have a workflow 1, and a ledger that was deleted begins with 1 again).
 */
export function makeSeriesFile(outputDirectory: string, run: SeriesRun): SeriesFile {
  return openPrivate(makeSeriesPath(outputDirectory, run), {}, (connection) => {
    connection.chooseJournal()
    connection.transaction(() => {
      connection.script(schema)
      const { host, workflowId, runId } = run
      const ledger = resolve(run.ledger)
      connection.run('INSERT INTO series_run VALUES (?, ?, ?, ?)', ledger, host, workflowId, runId)
    })
    return new SeriesFile(connection)
  })
}
