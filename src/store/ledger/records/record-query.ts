import type { SQLInputValue } from 'node:sqlite'
import type { JobRecord } from '../../../model/record.ts'
import { sqliteDialect, type Dialect } from '../dialect.ts'
import type { RecordOrder, RecordQuery } from '../store.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { conditionsOf, where, type Conditions } from './record-conditions.ts'
import { recordInRow, wholeRecord } from './record-row.ts'
import { number, type Row } from '../../sqlite/row.ts'

const { attempts } = sqliteDialect
export const newestFirst = 'ORDER BY attempt.started_at DESC, attempt.id DESC'

/** The attempts that a query asks for, each made into what the caller wants of it; newest first. */
export function attemptsOf<T>(
  connection: Connection,
  columns: string,
  query: RecordQuery,
  make: (row: Row) => T,
): T[] {
  const isByJob = query.name !== undefined || query.tag !== undefined
  if (isByJob && query.limit === undefined) return attemptsOfJobs(connection, columns, query, make)
  const { conditions, values } = conditionsOf(query, sqliteDialect)
  const limit = query.limit === undefined ? '' : 'LIMIT ?'
  if (query.limit !== undefined) values.push(query.limit)
  // Which ones are the newest of some jobs is found without reading any usage.
  const which = isByJob
    ? `WHERE attempt.id IN (
         SELECT attempt.id FROM job CROSS JOIN attempt ON attempt.job_id = job.id
         ${where(conditions)} ${newestFirst} ${limit})`
    : where(conditions)
  const sql = `SELECT ${columns} ${attempts} ${which} ${newestFirst} ${isByJob ? '' : limit}`
  return connection.mapSound(sql, values, make)
}

/**
 * The same from the jobs to their attempts: half the time, for a job is a tenth as long as an attempt, and most are of another
 * name. Sorted here: SQLite would carry the usages along, through a file.
 */
function attemptsOfJobs<T>(
  connection: Connection,
  columns: string,
  query: RecordQuery,
  make: (row: Row) => T,
): T[] {
  const { conditions, values } = conditionsOf(query, sqliteDialect)
  const sql = `
    SELECT ${columns}, attempt.started_at AS sorted_by, attempt.id AS then_by
    FROM job CROSS JOIN attempt ON attempt.job_id = job.id ${where(conditions)}`
  const found = connection.mapSound(sql, values, (row) => ({
    made: make(row),
    startedAt: number(row, 'sorted_by'),
    attemptId: number(row, 'then_by'),
  }))
  found.sort((one, other) => other.startedAt - one.startedAt || other.attemptId - one.attemptId)
  return found.map(({ made }) => made)
}

/** Records whose task id starts so. A range, not LIKE: `%` and `_` are no wildcards. Nothing sorts after U+10FFFF. */
export const byPrefix = (dialect: Dialect): string => `
  SELECT ${wholeRecord(dialect)} ${dialect.attempts}
  WHERE attempt.task_id >= ? AND attempt.task_id < ? ${newestFirst}`

export const prefixRange = (prefix: string): [string, string] => [prefix, `${prefix}\u{10ffff}`]

export const recordsByPrefix = (connection: Connection, prefix: string): JobRecord[] =>
  connection.mapSound(byPrefix(sqliteDialect), prefixRange(prefix), recordInRow)

export const recordsPerPage = 500

/**
 * Record by record, in constant memory. Each page is a question of its own that goes on where the last one ended: one that
 * stayed open while its reader is slow would keep the log from being cut, and on a shared disk all others from writing.
 */
export function* eachRecord(
  connection: Connection,
  query: RecordQuery,
  order: RecordOrder,
): Generator<JobRecord> {
  const { sql, values, start } = pageAfter(query, order, sqliteDialect)
  let left = query.limit ?? Infinity
  let place: readonly SQLInputValue[] = start
  while (left > 0) {
    const size = Math.min(left, recordsPerPage)
    let seen = 0
    let last = place
    const page = connection.mapSound(sql, [...values, ...place, size], (row) => {
      // Of those too that turn out to be damaged: the next page begins after them.
      seen += 1
      last = [row['started_at'] ?? null, row['id'] ?? null]
      return recordInRow(row)
    })
    yield* page
    if (seen < size) return
    place = last
    left -= page.length
  }
}

/** What asks for the records after a place, at most so many: both follow the values that are given here. */
export function pageAfter(
  query: RecordQuery,
  order: RecordOrder,
  dialect: Dialect,
): Conditions & { readonly sql: string; readonly start: readonly [startedAt: number, id: number] } {
  const { conditions, values } = conditionsOf(query, dialect)
  const isForward = order === 'oldest first'
  const direction = isForward ? 'ASC' : 'DESC'
  const after = `(attempt.started_at, attempt.id) ${isForward ? '>' : '<'} (?, ?)`
  return {
    sql: `
      SELECT ${wholeRecord(dialect)} ${dialect.attempts} ${where([...conditions, after])}
      ORDER BY attempt.started_at ${direction}, attempt.id ${direction} LIMIT ?`,
    conditions,
    values,
    start: isForward ? [-Infinity, 0] : [Infinity, 0],
  }
}

/** From the jobs to their attempts: of those an index is enough, as long as nothing but the job is asked for. */
export function countRecords(connection: Connection, query: RecordQuery): number {
  const { conditions, values } = conditionsOf(query, sqliteDialect)
  const sql = `
    SELECT count(*) AS found FROM job CROSS JOIN attempt ON attempt.job_id = job.id ${where(conditions)}`
  const row = connection.row(sql, ...values)
  return row === undefined ? 0 : number(row, 'found')
}
