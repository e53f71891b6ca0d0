import type { QueueJobState } from '../../../model/queue.ts'
import type { Statements } from '../connection.ts'
import { plainId } from './ids.ts'

/** How a job stands, for whoever ordered it. */
export interface Standing {
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
): Promise<ReadonlyMap<string, Standing>> {
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

/** Sees to it that a job which has not arrived by now never begins. */
export async function withdraw(statements: Statements, ids: readonly string[]): Promise<void> {
  await statements.run(
    `INSERT INTO queue_job (id, name, priority, definition, state, retries, interruptions, ended_at, reason)
     SELECT id, '', 0, '{}', 'interrupted', 0, 0, clock_timestamp(), 'it had not arrived when its runner died'
     FROM unnest(?::uuid[]) AS given (id) ON CONFLICT (id) DO NOTHING`,
    [ids],
  )
}
