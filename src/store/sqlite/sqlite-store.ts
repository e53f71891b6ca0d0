import type { SQLInputValue } from 'node:sqlite'
import type { JobRecord } from '../../model/record.ts'
import { sampleWidth, type SampleRow } from '../../model/sample.ts'
import { interruptedEnd } from '../interrupted.ts'
import type {
  AttemptEnd,
  AttemptRef,
  AttemptStart,
  PruneResult,
  RecordQuery,
  RunningAttempt,
  SpooledAttempt,
  Store,
} from '../store.ts'
import type { Connection } from './connection.ts'
import { StoreError } from '../errors.ts'
import { endColumns, type EndFacts } from './end-row.ts'
import { prune } from './prune.ts'
import { attemptColumns, jobColumns, ownerOf, recordOf } from './record-row.ts'
import { number, numberOrNull, text } from './row.ts'
import { insertSamples, lastSampleOf, samplesOf } from './sample-table.ts'
import { insertRow, updateRow } from './write-row.ts'

const records = `
  SELECT job.*, attempt.* FROM attempt JOIN job ON job.id = attempt.job_id`
const newestFirst = 'ORDER BY attempt.started_at DESC, attempt.id DESC'

// An owner who was thought dead may tell the end of an attempt after the next one has begun.
const setState = `
  UPDATE job SET state = ? FROM attempt
  WHERE attempt.id = ? AND job.id = attempt.job_id AND job.attempt_count = attempt.number`

/** The ledger in one SQLite file. All values are bound; SQL is made of constants only. */
export class SqliteStore implements Store {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  begin(start: AttemptStart): AttemptRef {
    return this.#connection.transaction(() => {
      const jobId = insertRow(this.#connection, 'job', jobColumns(start.job))
      const attemptId = insertRow(
        this.#connection,
        'attempt',
        attemptColumns(start, { jobId, attempt: 1, runId: null }),
      )
      return { taskId: start.taskId, jobId, attemptId }
    })
  }

  addSamples(attempt: AttemptRef, rows: Float64Array, count: number): void {
    if (count === 0) return
    this.#connection.transaction(() => {
      insertSamples(this.#connection, attempt.attemptId, rows, count)
      this.#connection.run(
        `UPDATE attempt SET samples_collected = samples_collected + ?
         WHERE id = ? AND status = 'running'`,
        count,
        attempt.attemptId,
      )
    })
  }

  /** Holds also over `interrupted`: who is here to tell the end was not dead after all. */
  finish(attempt: AttemptRef, end: AttemptEnd): void {
    const { outcome, samples, ...rest } = end
    const written = this.#connection.transaction(() =>
      this.#end(attempt.attemptId, {
        ...rest,
        ...outcome,
        samplesCollected: samples.collected,
        samplesLate: samples.late,
        sampleIntervalSeconds: samples.intervalSeconds,
        ownCpuSeconds: samples.ownCpuSeconds,
      }),
    )
    if (!written)
      throw new StoreError(
        'conflict',
        this.#connection.path,
        `attempt ${attempt.taskId} is not in the ledger any more`,
      )
  }

  adopt({ start, samplesBefore = 0, rows, count, end }: SpooledAttempt): AttemptRef {
    return this.#connection.transaction(() => {
      const row = this.#connection.row(
        `SELECT id, job_id, status, (SELECT count(*) FROM sample WHERE attempt_id = attempt.id) AS kept
         FROM attempt WHERE task_id = ?`,
        start.taskId,
      )
      const known =
        row === undefined ? null : { status: text(row, 'status'), kept: number(row, 'kept') }
      const ref =
        row === undefined
          ? this.begin(start)
          : { taskId: start.taskId, jobId: number(row, 'job_id'), attemptId: number(row, 'id') }
      if (known !== null && known.status !== 'running' && known.status !== 'interrupted') return ref
      const kept = Math.max(0, (known?.kept ?? 0) - samplesBefore)
      if (count > kept) this.addSamples(ref, rows.subarray(kept * sampleWidth), count - kept)
      if (end !== null) this.finish(ref, end)
      return ref
    })
  }

  find(query: RecordQuery): JobRecord[] {
    const conditions: string[] = []
    const values: SQLInputValue[] = []
    const where = (condition: string, value: SQLInputValue | undefined): void => {
      if (value === undefined) return
      conditions.push(condition)
      values.push(value)
    }
    where('job.tool = ?', query.tool)
    where('attempt.status = ?', query.status)
    where('attempt.started_at >= ?', query.startedSince)
    const filter = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
    const limit = query.limit === undefined ? '' : 'LIMIT ?'
    if (query.limit !== undefined) values.push(query.limit)
    return this.#records(`${records} ${filter} ${newestFirst} ${limit}`, values)
  }

  /** A range, not LIKE: `%` and `_` are no wildcards here. Nothing sorts after U+10FFFF. */
  findByPrefix(prefix: string): JobRecord[] {
    return this.#records(
      `${records} WHERE attempt.task_id >= ? AND attempt.task_id < ? ${newestFirst}`,
      [prefix, `${prefix}\u{10ffff}`],
    )
  }

  samples(taskId: string): SampleRow[] {
    return this.#connection.guard(() => samplesOf(this.#connection, taskId))
  }

  running(): RunningAttempt[] {
    return this.#connection.mapSound(
      `SELECT task_id, owner_host, owner_boot_id, owner_pid, owner_start_ticks
       FROM attempt WHERE status = 'running' ORDER BY id`,
      [],
      (row) => ({ taskId: text(row, 'task_id'), owner: ownerOf(row) }),
    )
  }

  interrupt(taskId: string, reason: string): boolean {
    return this.#connection.transaction(() => {
      const row = this.#connection.row(
        `SELECT id, started_at, sample_interval_seconds,
           (SELECT count(*) FROM sample WHERE attempt_id = attempt.id) AS kept,
           (SELECT max(memory_bytes) FROM sample WHERE attempt_id = attempt.id) AS memory_peak_bytes
         FROM attempt WHERE task_id = ? AND status = 'running'`,
        taskId,
      )
      if (row === undefined) return false
      const id = number(row, 'id')
      const end = interruptedEnd({
        startedAt: number(row, 'started_at'),
        lastSample: lastSampleOf(this.#connection, id),
        memoryPeakBytes: numberOrNull(row, 'memory_peak_bytes'),
      })
      return this.#end(id, {
        ...end,
        status: 'interrupted',
        exitCode: null,
        signal: null,
        reason,
        stragglers: [],
        samplesCollected: number(row, 'kept'),
        samplesLate: 0,
        sampleIntervalSeconds: numberOrNull(row, 'sample_interval_seconds'),
        ownCpuSeconds: null,
      })
    })
  }

  prune(startedBefore: number): PruneResult {
    return prune(this.#connection, startedBefore)
  }

  close(): void {
    this.#connection.close()
  }

  #records(sql: string, values: readonly SQLInputValue[]): JobRecord[] {
    return this.#connection.mapSound(sql, values, recordOf)
  }

  /** A workflow's job stands as its last attempt ended. */
  #end(attemptId: number, facts: EndFacts): boolean {
    if (!updateRow(this.#connection, 'attempt', attemptId, endColumns(facts))) return false
    const state = facts.status === 'unknown' ? 'error' : facts.status
    this.#connection.run(setState, state, attemptId)
    return true
  }
}
