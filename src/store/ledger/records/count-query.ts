import type { CountedAttempt, CountedAttempts } from '../../../model/counted-attempt.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { sqliteDialect, type Dialect } from '../dialect.ts'
import { amountOrNull, instant, number, text, type Row } from '../../sqlite/row.ts'
import { statusOf } from './record-row.ts'

const counted = ({ attempts }: Dialect): string => `
  SELECT attempt.id, attempt.task_id, attempt.user, job.name, attempt.status, attempt.started_at,
    attempt.duration_seconds, attempt.cpu_seconds, attempt.memory_peak_bytes
  ${attempts}`

/** Those after an id and up to another, at most so many. */
export const countedBetween = (dialect: Dialect): string =>
  `${counted(dialect)} WHERE attempt.id > ? AND attempt.id <= ? ORDER BY attempt.id LIMIT ?`

/** Those whose ids are in a list that is given as JSON. */
export const countedAmong = (dialect: Dialect): string =>
  `${counted(dialect)} WHERE ${dialect.isListed} ORDER BY attempt.id`

export const countedOf = (row: Row): CountedAttempt => ({
  attemptId: number(row, 'id'),
  user: text(row, 'user'),
  name: text(row, 'name'),
  status: statusOf(row),
  startedAt: instant(row, 'started_at'),
  durationSeconds: amountOrNull(row, 'duration_seconds'),
  cpuSeconds: amountOrNull(row, 'cpu_seconds'),
  memoryPeakBytes: amountOrNull(row, 'memory_peak_bytes'),
})

/** Those that the ledger got after this one: only one writes at a time, so that no smaller id comes later. */
export function attemptsAfter(
  connection: Connection,
  attemptId: number,
  limit: number,
): CountedAttempts {
  let lastId = attemptId
  let seen = 0
  const sql = countedBetween(sqliteDialect)
  const given = [attemptId, Number.MAX_SAFE_INTEGER, limit]
  const attempts = connection.mapSound(sql, given, (row) => {
    seen += 1
    lastId = number(row, 'id')
    return countedOf(row)
  })
  return { attempts, lastId, isMore: seen === limit }
}

/** Those of these that are still in the ledger. */
export const attemptsById = (connection: Connection, ids: readonly number[]): CountedAttempt[] =>
  ids.length === 0
    ? []
    : connection.mapSound(countedAmong(sqliteDialect), [JSON.stringify(ids)], countedOf)
