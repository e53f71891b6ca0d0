import type { Columns } from '../../../model/series.ts'
import {
  watchedAttemptOf,
  watchedColumns,
  type WatchedAttempt,
} from '../../ledger/records/live-row.ts'
import { number, text } from '../../sqlite/row.ts'
import { settledAttemptId } from '../settled-ids.ts'
import { postgresDialect } from './dialect.ts'
import type { Questions } from './questions.ts'
import { chunksOfTask } from './chunks-of-task.ts'
import { rowsOfPacked } from './rows-of-chunks.ts'
import { unpackRows } from './unpack-rows.ts'

const select = `SELECT ${watchedColumns(postgresDialect)} ${postgresDialect.attempts}`

/** Rows of samples that come one after the other. */
export interface RowsFrom {
  readonly firstRow: number
  readonly parts: readonly { readonly columns: Columns; readonly rows: readonly Float64Array[] }[]
}

/** A team ledger that others write to, for who looks again and again. */
export class TeamWatch {
  readonly #questions: Questions

  constructor(questions: Questions) {
    this.#questions = questions
  }

  /** The highest id with which no attempt can come any more. */
  settledId(): Promise<number> {
    return settledAttemptId(this.#questions)
  }

  running(upTo: number, most: number): Promise<WatchedAttempt[]> {
    const sql = `${select} WHERE ${postgresDialect.isRunning} AND attempt.id <= ? ORDER BY attempt.id DESC LIMIT ?`
    return this.#questions.mapSound(sql, [upTo, most], watchedAttemptOf)
  }

  /** Attempts that came after this id, up to that one. */
  begun(after: number, upTo: number, most: number): Promise<WatchedAttempt[]> {
    const sql = `${select} WHERE attempt.id > ? AND attempt.id <= ? ORDER BY attempt.id LIMIT ?`
    return this.#questions.mapSound(sql, [after, upTo, most], watchedAttemptOf)
  }

  /** Those of these that no longer run. */
  async ended(attemptIds: readonly number[]): Promise<WatchedAttempt[]> {
    if (attemptIds.length === 0) return []
    const sql = `${select} WHERE ${postgresDialect.isListed} AND attempt.status <> 'running' ORDER BY attempt.id`
    return this.#questions.mapSound(sql, [JSON.stringify(attemptIds)], watchedAttemptOf)
  }

  /** How many samples there are of each of these tasks. */
  async sampleCounts(taskIds: readonly string[]): Promise<Map<string, number>> {
    if (taskIds.length === 0) return new Map()
    const sql = `
      SELECT task_id, max(first_row + row_count) AS rows FROM sample_chunk
      WHERE part = 'sample' AND task_id = ANY (?) GROUP BY task_id`
    const rows = await this.#questions.rows(sql, [taskIds])
    return new Map(rows.map((row) => [text(row, 'task_id'), number(row, 'rows')]))
  }

  /** Samples from about this row on: from the first of the chunk that has it. */
  async samplesFrom(taskId: string, user: string, row: number): Promise<RowsFrom | undefined> {
    const sql = `
      SELECT first_row, row_count, packed ${chunksOfTask} AND first_row + row_count > ? ORDER BY first_row`
    const chunks = await this.#questions.rows(sql, [taskId, user, 'sample', row])
    const [first] = chunks
    if (first === undefined) return undefined
    return this.#questions.made(async () => ({
      firstRow: number(first, 'first_row'),
      parts: (await unpackRows(taskId, chunks)).map(rowsOfPacked),
    }))
  }
}
