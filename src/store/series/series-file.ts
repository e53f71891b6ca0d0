import type { Columns } from '../../model/series.ts'
import { resolve } from 'node:path'
import type { AttemptEnd } from '../ledger/store.ts'
import type { Connection } from '../sqlite/connection.ts'
import { openPrivateDatabase } from '../sqlite/open-private.ts'
import { sampleNames } from '../../model/sample.ts'
import { figureNames, figureValues, figureWays } from './series-figures.ts'
import { SeriesFileWriter } from './series-file-writer.ts'
import { makeSeriesPath, type SeriesRun } from './series-path.ts'
import { seriesSchema } from './series-schema.ts'
import type { SeriesWriter } from './series.ts'
import { settleCpuPercents } from './settle-cpu.ts'

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

const insertJob = `
  INSERT OR REPLACE INTO job_metadata VALUES (?, ?, ?, ?, ?, ?, ?)`
const insertAttempt = `
  INSERT OR REPLACE INTO job_attempts (task_id, job_id, attempt, started_at, status) VALUES (?, ?, ?, ?, 'running')`
const endColumns = ['ended_at', 'status', 'exit_code', 'duration_seconds', ...figureNames, 'ways']
const updateAttempt = `
  UPDATE job_attempts SET ${endColumns.map((name) => `${name} = ?`).join(', ')} WHERE task_id = ?`

const insertMark = `
  INSERT INTO job_marks SELECT job_id, attempt, ?, ?, ?, ?, ?, ? FROM job_attempts WHERE task_id = ?`

/** The samples of one run in a file of their own, open to `sqlite3` while the run goes on. */
export class SeriesFile {
  readonly path: string
  readonly #connection: Connection

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

  /**
   * The figures of an attempt that was added, as its record has them: what samples show may be less. To be called once all
   * its samples are there.
   */
  endAttempt(taskId: string, end: AttemptEnd): void {
    const { endedAt, durationSeconds, outcome, usage, marks = [] } = end
    const { status, exitCode } = outcome
    const facts = [endedAt, status, exitCode, durationSeconds]
    const figures = [...figureValues(usage), figureWays(usage)]
    this.#connection.transaction(() => {
      this.#connection.run(updateAttempt, ...facts, ...figures, taskId)
      for (const { timestamp, elapsedSeconds, step, epoch, phase, message } of marks) {
        const told = [timestamp, elapsedSeconds, step, epoch, phase, message]
        this.#connection.run(insertMark, ...told, taskId)
      }
    })
    this.#settle(taskId)
  }

  /** Apart from the figures, which a full disk may still have room for: readers derive the percentages from the counters. */
  #settle(taskId: string): void {
    try {
      this.#connection.transaction(() => settleCpuPercents(this.#connection, taskId))
    } catch {
      // The column stays as it was while the attempt ran.
    }
  }

  /** For the samples of one attempt; of other columns than this build has where it names them. */
  writer(jobId: number, attempt: number, columns: Columns = sampleNames): SeriesWriter {
    return new SeriesFileWriter(this.#connection, { jobId, attempt }, columns)
  }

  /** Whether the file still stands under its name: somebody may have removed it. */
  get isInPlace(): boolean {
    return this.#connection.isInPlace
  }

  close(): void {
    this.#connection.close()
  }
}

/**
 * Makes the series file of a run. It is always a new one: a file that is there is of another run, though its name may be
 * the same (two ledgers each have a workflow 1, and a ledger that was deleted begins with 1 again).
 */
export function makeSeriesFile(outputDirectory: string, run: SeriesRun): SeriesFile {
  const path = makeSeriesPath(outputDirectory, run)
  return openPrivateDatabase(path, { kind: 'series file' }, (connection) => {
    connection.chooseJournal()
    connection.transaction(() => {
      connection.script(seriesSchema)
      const { host, workflowId, runId } = run
      const ledger = resolve(run.ledger)
      connection.run('INSERT INTO series_run VALUES (?, ?, ?, ?)', ledger, host, workflowId, runId)
    })
    return new SeriesFile(connection)
  })
}
