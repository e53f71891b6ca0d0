import type { QueueJobState } from '../../../model/queue.ts'
import type { Statements } from '../connection.ts'
import { plainId } from './ids.ts'

/** How a job stands, for whoever ordered it. */
export interface JobStanding {
  readonly state: QueueJobState
  readonly hasStarted: boolean
  readonly reason: string | null
  /** Of the attempt that counts. */
  readonly result: string | null
}

/** How these jobs stand; those that are not there are left out. */
export async function standingOf(
  statements: Statements,
  ids: readonly string[],
): Promise<ReadonlyMap<string, JobStanding>> {
  const rows = await statements.rows(
    `SELECT job.id::text, job.state, job.reason, latest.has_started::int AS has_started,
       CASE WHEN job.ended_at IS NOT NULL THEN latest.result END AS result
     FROM queue_job job LEFT JOIN LATERAL (
       SELECT has_started, result FROM queue_attempt attempt WHERE attempt.job_id = job.id
       ORDER BY number DESC LIMIT 1) latest ON true
     WHERE job.id = ANY(?::uuid[])`,
    [ids],
  )
  return new Map(
    rows.map((row) => [
      plainId(String(row['id'])),
      {
        state: String(row['state']) as QueueJobState,
        hasStarted: row['has_started'] === 1,
        reason: row['reason'] === null ? null : String(row['reason']),
        result: row['result'] === null ? null : String(row['result']),
      },
    ]),
  )
}

/** Why jobs that have not arrived are told to be over. */
const withdrawnReasons = {
  interrupted: 'it had not arrived when its runner died',
  cancelled: 'cancelled before it began',
} as const

/** Sees to it that jobs which have not arrived by now never begin. Others go on as they are. */
export async function withdraw(
  statements: Statements,
  ids: readonly string[],
  as: keyof typeof withdrawnReasons,
): Promise<void> {
  await statements.run(
    `INSERT INTO queue_job (id, name, priority, definition, state, retries, interruptions, ended_at, reason)
     SELECT id, '', 0, '{}', ?, 0, 0, clock_timestamp(), ?
     FROM unnest(?::uuid[]) AS given (id) ON CONFLICT (id) DO NOTHING`,
    [as, withdrawnReasons[as], ids],
  )
}
