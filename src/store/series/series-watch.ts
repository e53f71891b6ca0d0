import { resolve } from 'node:path'
import { FollowedFile } from '../sqlite/followed-file.ts'
import { FollowedReader } from '../sqlite/followed-reader.ts'
import { FollowedTable, type FollowedRow, type LastDeviceRow } from '../sqlite/followed-table.ts'
import { number } from '../sqlite/row.ts'
import type { SeriesPlace } from './series-file-writer.ts'

const ofAttempt = 'job_id = ? AND attempt = ? AND rowid <= ?'

/** The series file of a run that goes on. Rows are only ever added to it. */
export class SeriesWatch extends FollowedReader {
  readonly samples: FollowedTable
  readonly deviceRows: FollowedTable

  /** Undefined where there is no such file. Throws where it cannot be read. */
  static open(path: string): SeriesWatch | undefined {
    const file = FollowedFile.open(path)
    return file === undefined ? undefined : new SeriesWatch(file)
  }

  private constructor(file: FollowedFile) {
    super(file)
    const keys = ['job_id', 'attempt']
    this.samples = new FollowedTable(file.connection, 'job_resource_samples', keys, 'samples')
    this.deviceRows = new FollowedTable(
      file.connection,
      'job_device_samples',
      [...keys, 'kind', 'device'],
      'devices',
    )
  }

  /** Whether it says that it is of this ledger. */
  isOf(ledger: string): boolean {
    const row = this.file.connection.row('SELECT ledger FROM series_run')
    return row?.['ledger'] === resolve(ledger)
  }

  /** Whether an attempt has begun here: of two ledgers in the same place, one after the other, numbers may be the same. */
  hasTask(taskId: string): boolean {
    const sql = 'SELECT 1 FROM job_attempts WHERE task_id = ?'
    return this.file.connection.row(sql, taskId) !== undefined
  }

  /** Rows that were written after this one, of all attempts. */
  samplesAfter(rowId: number): FollowedRow[] {
    return this.samples.rows('WHERE rowid > ? ORDER BY rowid', rowId)
  }

  deviceRowsAfter(rowId: number): FollowedRow[] {
    return this.deviceRows.rows('WHERE rowid > ? ORDER BY rowid', rowId)
  }

  /** The last samples of an attempt up to this row, oldest first. */
  lastSamples({ jobId, attempt }: SeriesPlace, upToRow: number, count: number): FollowedRow[] {
    return this.samples
      .rows(
        `WHERE ${ofAttempt} ORDER BY timestamp DESC, rowid DESC LIMIT ?`,
        jobId,
        attempt,
        upToRow,
        count,
      )
      .toReversed()
  }

  /** How many samples there are of an attempt up to this row. */
  countSamples({ jobId, attempt }: SeriesPlace, upToRow: number): number {
    const sql = `SELECT count(*) AS found FROM job_resource_samples WHERE ${ofAttempt}`
    return number(this.file.connection.row(sql, jobId, attempt, upToRow) ?? {}, 'found')
  }

  /** All samples of an attempt up to this row, in the order in which they were written. */
  samplesOf({ jobId, attempt }: SeriesPlace, upToRow: number): FollowedRow[] {
    return this.samples.rows(`WHERE ${ofAttempt} ORDER BY rowid`, jobId, attempt, upToRow)
  }

  deviceRowsOf({ jobId, attempt }: SeriesPlace, upToRow: number): FollowedRow[] {
    return this.deviceRows.rows(`WHERE ${ofAttempt} ORDER BY rowid`, jobId, attempt, upToRow)
  }

  lastDeviceRows({ jobId, attempt }: SeriesPlace, upToRow: number): LastDeviceRow[] {
    return this.deviceRows.lastOfDevices(ofAttempt, jobId, attempt, upToRow)
  }
}
