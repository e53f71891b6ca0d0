import { cpuPercents } from '../../model/cpu/cpu-percents.ts'
import type { Connection } from '../sqlite/connection.ts'
import { figureColumns } from '../sqlite/figure-columns.ts'
import { asFigure } from '../sqlite/figure-rows.ts'
import { number } from '../sqlite/row.ts'

const columns = [
  'rowid',
  'elapsed_seconds',
  'cpu_user_seconds',
  'cpu_system_seconds',
  'num_threads',
  'cpu_percent',
]
const select = `
  SELECT ${columns.map(asFigure).join(', ')} FROM job_resource_samples
  WHERE job_id = ? AND attempt = ? ORDER BY elapsed_seconds, rowid`
const update = 'UPDATE job_resource_samples SET cpu_percent = ? WHERE rowid = ?'

/**
 * Once all samples of an attempt are there, makes its `cpu_percent` what everybody else derives from their counters: a
 * sample tells what the counters did not show yet at those before it. To be called inside a transaction.
 */
export function settleCpuPercents(connection: Connection, taskId: string): void {
  const attempt = connection.row(
    'SELECT job_id, attempt FROM job_attempts WHERE task_id = ?',
    taskId,
  )
  if (attempt === undefined) return
  const jobId = number(attempt, 'job_id')
  const [rowIds = none, elapsedSeconds = none, userSeconds = none, ...more] = figureColumns(
    connection.prepare(select),
    [jobId, number(attempt, 'attempt')],
    columns.length,
  )
  const [systemSeconds = none, threads = none, written = none] = more
  const counters = { elapsedSeconds, userSeconds, systemSeconds, threads }
  const settled = cpuPercents(counters, coresOf(connection, jobId))
  const statement = connection.prepare(update)
  for (const [index, percent] of settled.entries())
    // SQLite stores NaN as NULL.
    if (!Object.is(percent, written[index])) statement.run(percent, rowIds[index] ?? null)
}

/** Of the machine that a job runs on; where the file does not say, nothing is bounded by them. */
export function coresOf(connection: Connection, jobId: number): number {
  const job = connection.row('SELECT cores FROM job_metadata WHERE job_id = ?', jobId)
  return job === undefined ? Infinity : number(job, 'cores')
}

const none = new Float64Array()
