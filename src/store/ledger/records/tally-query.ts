import { isDurationBound } from '../../../model/outcome.ts'
import type { OutcomeTally } from '../../../model/outcome-tally.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { number, text, type Row } from '../../sqlite/row.ts'
import { sqliteDialect, type Dialect } from '../dialect.ts'
import { conditionsOf, hasBegun, where } from './record-conditions.ts'
import { statusOf } from './record-row.ts'

/** Counts and sums by tool and by how the attempts ended: the engine adds them up, and a few rows come out. */
export function byToolAndStatus(
  owners: readonly string[] | undefined,
  dialect: Dialect,
): { readonly sql: string; readonly values: (string | number)[] } {
  const { conditions, values } = conditionsOf(owners === undefined ? {} : { owners }, dialect)
  const sql = `
    SELECT job.tool, attempt.status, count(*) AS attempts,
      CASE WHEN ${isOpen} THEN min(attempt.reason) END AS reason,
      count(attempt.duration_seconds) AS durations, ${sum('attempt.duration_seconds')} AS duration_seconds,
      count(attempt.cpu_seconds) AS cpu_times, ${sum('attempt.cpu_seconds')} AS cpu_seconds,
      count(CASE WHEN attempt.cpu_seconds IS NOT NULL
        AND ' ' || attempt.lower_bounds || ' ' LIKE '% cpuTotalSeconds %' THEN 1 END) AS least_cpu_times
    ${dialect.attempts} ${where(conditions)}
    GROUP BY job.tool, attempt.status, (${isOpen} AND NOT ${hasBegun})`
  return { sql, values }
}

/** What waits and what runs are told apart by the reason: see `statusOf`. */
const isOpen = "attempt.status = 'running'"

/** One record with a figure beyond all bounds must not keep all others from being added up. */
const sum = (column: string): string =>
  `coalesce(sum(CASE WHEN ${column} < 1e290 THEN ${column} WHEN ${column} >= 1e290 THEN 1e290 END), 0.0)`

export const tallyIn = (row: Row): OutcomeTally => ({
  tool: text(row, 'tool'),
  status: statusOf(row),
  attempts: number(row, 'attempts'),
  durationSeconds: {
    known: number(row, 'durations'),
    sum: number(row, 'duration_seconds'),
    least: isDurationBound(statusOf(row)) ? number(row, 'durations') : 0,
  },
  cpuSeconds: {
    known: number(row, 'cpu_times'),
    sum: number(row, 'cpu_seconds'),
    least: number(row, 'least_cpu_times'),
  },
})

export function tallyOf(
  connection: Connection,
  owners: readonly string[] | undefined,
): OutcomeTally[] {
  const { sql, values } = byToolAndStatus(owners, sqliteDialect)
  return connection.mapSound(sql, values, tallyIn)
}
