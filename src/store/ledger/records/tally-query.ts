import type { OutcomeTally } from '../../../model/outcome-tally.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { statusOf } from './record-row.ts'
import { number, text } from '../../sqlite/row.ts'

const byToolAndStatus = `
  SELECT job.tool, attempt.status, count(*) AS attempts,
    count(attempt.duration_seconds) AS durations, total(attempt.duration_seconds) AS duration_seconds,
    count(attempt.cpu_seconds) AS cpu_times, total(attempt.cpu_seconds) AS cpu_seconds
  FROM attempt JOIN job ON job.id = attempt.job_id
  GROUP BY job.tool, attempt.status`

/** Counts and sums by tool and by how the attempts ended: SQLite adds them up, and a few rows come out. */
export function tallyOf(connection: Connection): OutcomeTally[] {
  return connection.mapSound(byToolAndStatus, [], (row) => ({
    tool: text(row, 'tool'),
    status: statusOf(row),
    attempts: number(row, 'attempts'),
    durationSeconds: { known: number(row, 'durations'), sum: number(row, 'duration_seconds') },
    cpuSeconds: { known: number(row, 'cpu_times'), sum: number(row, 'cpu_seconds') },
  }))
}
