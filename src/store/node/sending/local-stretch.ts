import type { Connection } from '../../sqlite/connection.ts'
import { fiveMinutesMs } from '../buckets.ts'
import type { LocalStretch } from './local-batch.ts'

type Tables = LocalStretch['tables']

/** Jobs of a host that were there in some of that time. */
const jobsOf = `SELECT id FROM job WHERE host_id = ?1 AND last_ms > ?2 AND first_ms <= ?3`

/** All that is kept of the five minutes that begin between two moments. */
export function fivesOf(connection: Connection, hostId: number, from: number, to: number): Tables {
  const ends = to + fiveMinutesMs
  return {
    round: connection.rows(
      'SELECT * FROM round WHERE host_id = ? AND at_ms > ? AND at_ms <= ?',
      hostId,
      from,
      ends,
    ),
    job_raw: connection.rows(
      `SELECT * FROM job_raw WHERE job_id IN (${jobsOf}) AND at_ms > ?2 AND at_ms <= ?3`,
      hostId,
      from,
      ends,
    ),
    job_5m: bucketsOfJobs(connection, 'job_5m', hostId, [from, to], ends),
    node_5m: buckets(connection, 'node_5m', hostId, from, to),
    device: connection.rows('SELECT * FROM device WHERE host_id = ?', hostId),
    device_latest: connection.rows(
      `SELECT * FROM device_latest WHERE device_id IN (${devicesOf})`,
      hostId,
    ),
    device_5m: bucketsOfDevices(connection, 'device_5m', hostId, from, to),
  }
}

/** All that is kept of the hours that begin between two moments. */
export function hoursOf(connection: Connection, hostId: number, from: number, to: number): Tables {
  return {
    node_hour: buckets(connection, 'node_hour', hostId, from, to),
    job_hour: bucketsOfJobs(connection, 'job_hour', hostId, [from, to], to + hourAndRest),
    device_hour: bucketsOfDevices(connection, 'device_hour', hostId, from, to),
    usage_hour: connection.rows(
      `SELECT usage_hour.*, "user".name AS "user", account.name AS account, command.name AS command
       FROM usage_hour JOIN "user" ON "user".id = user_id JOIN account ON account.id = account_id
       JOIN command ON command.id = command_id
       WHERE host_id = ? AND at_ms >= ? AND at_ms <= ?`,
      hostId,
      from,
      to,
    ),
  }
}

const hourAndRest = 3_600_000

const devicesOf = 'SELECT id FROM device WHERE host_id = ?1'

const buckets = (connection: Connection, table: string, hostId: number, from: number, to: number) =>
  connection.rows(
    `SELECT * FROM ${table} WHERE host_id = ? AND at_ms >= ? AND at_ms <= ?`,
    hostId,
    from,
    to,
  )

const bucketsOfJobs = (
  connection: Connection,
  table: string,
  hostId: number,
  [from, to]: readonly [number, number],
  ends: number,
) =>
  connection.rows(
    `SELECT * FROM ${table} WHERE job_id IN (${jobsOf}) AND at_ms >= ?2 AND at_ms <= ?4`,
    hostId,
    from,
    ends,
    to,
  )

const bucketsOfDevices = (
  connection: Connection,
  table: string,
  hostId: number,
  from: number,
  to: number,
) =>
  connection.rows(
    `SELECT * FROM ${table} WHERE device_id IN (${devicesOf}) AND at_ms >= ?2 AND at_ms <= ?3`,
    hostId,
    from,
    to,
  )
