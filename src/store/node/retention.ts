import { daySeconds } from '../../model/time-parts.ts'
import type { Connection } from '../sqlite/connection.ts'

/** How many days each kind of row is kept. */
export interface Retention {
  readonly rawDays: number
  readonly fiveMinuteDays: number
  readonly hourDays: number
}

export const usualRetention: Retention = { rawDays: 14, fiveMinuteDays: 90, hourDays: 730 }

/** Pages that are given back at once: more would keep readers waiting. */
const pagesGivenBack = 2_000

/** Deletes what is older. Of each table in a transaction of its own, so that no reader waits for long. */
export function keepOnly(connection: Connection, retention: Retention, nowSeconds: number): void {
  const before = (days: number): number => Math.round((nowSeconds - days * daySeconds) * 1e3)
  const raw = before(retention.rawDays)
  const five = before(retention.fiveMinuteDays)
  const hour = before(retention.hourDays)
  deleteOfJobs(connection, 'job_raw', raw)
  deleteOfJobs(connection, 'job_5m', five)
  deleteOfJobs(connection, 'job_hour', hour)
  connection.run('DELETE FROM round WHERE at_ms < ?', raw)
  connection.run('DELETE FROM node_5m WHERE at_ms < ?', five)
  connection.run('DELETE FROM node_hour WHERE at_ms < ?', hour)
  const used = connection.run('DELETE FROM usage_hour WHERE at_ms < ?', hour).changes
  connection.run('DELETE FROM usage_user_hour WHERE at_ms < ?', hour)
  connection.run('DELETE FROM device_5m WHERE at_ms < ?', five)
  connection.run('DELETE FROM device_hour WHERE at_ms < ?', hour)
  connection.run('DELETE FROM device_latest WHERE at_ms < ?', hour)
  connection.run('DELETE FROM device WHERE id NOT IN (SELECT device_id FROM device_latest)')
  const jobs = connection.run('DELETE FROM job WHERE last_ms < ?', hour).changes
  const found = connection.run('DELETE FROM violation WHERE last_ms < ?', hour).changes
  connection.run('DELETE FROM policy_state WHERE judged_ms < ?', hour)
  deleteOfImports(connection, hour)
  // Names are used until then. All that is kept has to be looked through for them, which takes half a second for a million hours.
  if (used + jobs + found > 0) deleteNames(connection)
  connection.script(`PRAGMA incremental_vacuum(${pagesGivenBack})`)
}

/** Of jobs that neither began nor ended, such as those that wait, no time is known. */
function deleteOfImports(connection: Connection, beforeMs: number): void {
  connection.run('DELETE FROM imported_hour WHERE at_ms < ?', beforeMs)
  connection.run('DELETE FROM imported_stretch WHERE to_ms < ?', beforeMs)
  connection.run(
    `DELETE FROM imported_capacity WHERE at_ms < ? AND host_id NOT IN (SELECT host_id FROM node_hour)`,
    beforeMs,
  )
  connection.run(
    `DELETE FROM imported_slurm_job
     WHERE coalesce(json_extract(said, '$.endedAt') * 1000, nullif(started_ms, 0)) < ?`,
    beforeMs,
  )
}

/** What no job, no hour and no finding has any more. */
function deleteNames(connection: Connection): void {
  connection.run(`DELETE FROM user_words WHERE (user_id, account_id, command_id) NOT IN
    (SELECT user_id, account_id, command_id FROM job
     UNION SELECT user_id, account_id, command_id FROM usage_hour)`)
  for (const name of ['user', 'account'])
    connection.run(`DELETE FROM ${name} WHERE id NOT IN
      (SELECT ${name}_id FROM user_words UNION SELECT ${name}_id FROM violation)`)
  connection.run('DELETE FROM command WHERE id NOT IN (SELECT command_id FROM user_words)')
}

/** By job, which is how the rows are ordered: nothing is looked at that stays. */
function deleteOfJobs(connection: Connection, table: string, beforeMs: number): void {
  connection.run(
    `DELETE FROM ${table} WHERE job_id IN (SELECT id FROM job WHERE first_ms < ?1) AND at_ms < ?1`,
    beforeMs,
  )
}
