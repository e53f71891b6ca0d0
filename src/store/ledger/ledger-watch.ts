import { FollowedFile } from '../sqlite/followed-file.ts'
import { FollowedReader } from '../sqlite/followed-reader.ts'
import { FollowedTable, type FollowedRow, type LastDeviceRow } from '../sqlite/followed-table.ts'
import { number, numberOrNull } from '../sqlite/row.ts'
import type { LastSeen } from '../spool/last-seen.ts'
import { interruptedEnd, type InterruptedEnd } from './interrupted.ts'
import { newestVersion } from './ledger-marks.ts'
import { lastSampleOf } from './ledger-series.ts'
import { ledgerVersion } from './migrate.ts'
import { sqliteDialect } from './dialect.ts'
import { watchedAttemptOf, watchedColumns, type WatchedAttempt } from './records/live-row.ts'
import { WorkflowWatch } from './workflows/workflow-watch.ts'

const from = `SELECT ${watchedColumns(sqliteDialect)} ${sqliteDialect.attempts}`

/**
 * A ledger that others write to, read for what is new in it: only rows that were added since the last time are read, however
 * many it holds. Nothing is written, and nobody is kept from writing.
 */
export class LedgerWatch extends FollowedReader {
  readonly samples: FollowedTable
  readonly deviceRows: FollowedTable
  readonly workflows: WorkflowWatch

  /** Undefined where there is no ledger, or one that no command of this build has used yet. Throws where it cannot be read. */
  static open(path: string): LedgerWatch | undefined {
    const file = FollowedFile.open(path)
    if (file === undefined) return undefined
    try {
      if (ledgerVersion(file.connection) === newestVersion) return new LedgerWatch(file)
    } catch (error) {
      file.close()
      throw error
    }
    file.close()
    return undefined
  }

  private constructor(file: FollowedFile) {
    super(file)
    this.samples = new FollowedTable(file.connection, 'sample', [], 'samples')
    this.deviceRows = new FollowedTable(
      file.connection,
      'device_sample',
      ['kind', 'device'],
      'devices',
    )
    this.workflows = new WorkflowWatch(file.connection)
  }

  /** The highest id that an attempt ever had; ids are never used again. */
  newestAttemptId(): number {
    const { connection } = this.file
    const row = connection.row("SELECT seq FROM sqlite_sequence WHERE name = 'attempt'")
    return row === undefined ? 0 : (numberOrNull(row, 'seq') ?? 0)
  }

  /** Attempts that were added after this one, oldest first. */
  attemptsAfter(attemptId: number): WatchedAttempt[] {
    return this.#attempts('WHERE attempt.id > ? ORDER BY attempt.id', attemptId)
  }

  running(): WatchedAttempt[] {
    return this.#attempts("WHERE attempt.status = 'running' ORDER BY attempt.id")
  }

  /** These attempts, as far as they are still there. */
  attempts(attemptIds: readonly number[]): WatchedAttempt[] {
    if (attemptIds.length === 0) return []
    return this.#attempts(
      'WHERE attempt.id IN (SELECT value FROM json_each(?))',
      JSON.stringify(attemptIds),
    )
  }

  /** Which of these attempts no longer have this status. */
  noLonger(status: string, attemptIds: readonly number[]): number[] {
    if (attemptIds.length === 0) return []
    return this.file.connection
      .rows(
        `SELECT value AS id FROM json_each(?) AS asked
         WHERE NOT EXISTS (SELECT 1 FROM attempt WHERE attempt.id = asked.value AND status = ?)`,
        JSON.stringify(attemptIds),
        status,
      )
      .map((row) => number(row, 'id'))
  }

  /** How many samples there are of an attempt. */
  countSamples(attemptId: number): number {
    return this.#count('SELECT count(*) AS found FROM sample WHERE attempt_id = ?', attemptId)
  }

  /** Samples of an attempt that were written after this one. */
  samplesAfter(attemptId: number, rowId: number): FollowedRow[] {
    return this.samples.rows('WHERE attempt_id = ? AND id > ? ORDER BY id', attemptId, rowId)
  }

  /** The last samples of an attempt, oldest first. */
  lastSamples(attemptId: number, count: number): FollowedRow[] {
    return this.samples
      .rows('WHERE attempt_id = ? ORDER BY id DESC LIMIT ?', attemptId, count)
      .toReversed()
  }

  /** How many rows there are of each device of an attempt, and the last one of each. */
  lastDeviceRows(attemptId: number): LastDeviceRow[] {
    return this.deviceRows.lastOfDevices('attempt_id = ?', attemptId)
  }

  deviceRowsAfter(attemptId: number, rowId: number): FollowedRow[] {
    return this.deviceRows.rows('WHERE attempt_id = ? AND id > ? ORDER BY id', attemptId, rowId)
  }

  /** How an attempt ended whose owner died, as far as the samples here prove it. */
  interruptedEnd(attemptId: number, startedAt: number, seen?: LastSeen): InterruptedEnd {
    const { connection } = this.file
    const row = connection.row(
      'SELECT max(memory_bytes) AS peak FROM sample WHERE attempt_id = ?',
      attemptId,
    )
    const remains = {
      startedAt,
      lastSample: lastSampleOf(connection, attemptId),
      memoryPeakBytes: numberOrNull(row ?? {}, 'peak'),
    }
    return interruptedEnd(remains, seen)
  }

  /** Whether an attempt was handed to others, and may go on without its owner. */
  isElsewhere(taskId: string): boolean {
    const sql =
      'SELECT 1 FROM attempt_handle WHERE attempt_id = (SELECT id FROM attempt WHERE task_id = ?)'
    return this.file.connection.row(sql, taskId) !== undefined
  }

  userOf(taskId: string): string | undefined {
    const row = this.file.connection.row('SELECT user FROM attempt WHERE task_id = ?', taskId)
    return typeof row?.['user'] === 'string' ? row['user'] : undefined
  }

  #attempts(which: string, ...values: (number | string)[]): WatchedAttempt[] {
    return this.file.connection.mapSound(`${from} ${which}`, values, watchedAttemptOf)
  }

  #count(sql: string, attemptId: number): number {
    return number(this.file.connection.row(sql, attemptId) ?? {}, 'found')
  }
}
