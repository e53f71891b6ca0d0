import type { PoolClient } from 'pg'
import type { PgBoss } from 'pg-boss'
import { isOver, type QueueJobState } from '../../../model/queue.ts'
import type { Row } from '../../sqlite/row.ts'
import type { Statements } from '../connection.ts'
import { laneName, within } from './boss.ts'
import { sendJobs } from './send.ts'
import { arrivals, endings } from './submit.ts'

/** An open transaction on the queue. */
export interface QueueTransaction {
  readonly client: PoolClient
  readonly statements: Statements
  readonly boss: PgBoss
}

/** An attempt whose end counts. */
export interface Settled {
  readonly jobId: string
  readonly laneId: number
  readonly fence: number
  readonly status: string
  readonly exitCode: number | null
  readonly reason: string | null
}

/** Ends the jobs of these attempts, or has them run again where their rule allows it. */
export async function settleJobs(
  transaction: QueueTransaction,
  settled: readonly Settled[],
): Promise<void> {
  if (settled.length === 0) return
  const { statements } = transaction
  const rows = await statements.rows(
    `UPDATE queue_job job SET
       state = CASE WHEN again THEN 'queued' WHEN told.status = 'interrupted' AND cancel_requests > 0
         THEN 'cancelled' ELSE told.status END,
       retries = retries - (again AND told.status <> 'interrupted')::int,
       interruptions = interruptions - (again AND told.status = 'interrupted')::int,
       ended_at = CASE WHEN again THEN NULL ELSE clock_timestamp() END,
       exit_code = told.exit_code, reason = told.reason
     FROM (
       SELECT given.*, cancel_requests = 0 AND CASE
           WHEN status IN ('failed', 'timeout', 'error') THEN retries > 0
           WHEN status = 'interrupted' THEN interruptions > 0 ELSE false END AS again
       FROM unnest(?::uuid[], ?::text[], ?::int[], ?::text[]) AS given (id, status, exit_code, reason)
       JOIN queue_job USING (id) WHERE state = 'running'
     ) AS told
     WHERE job.id = told.id RETURNING job.id::text, job.state`,
    [
      settled.map(({ jobId }) => jobId),
      settled.map(({ status }) => status),
      settled.map(({ exitCode }) => exitCode),
      settled.map(({ reason }) => reason),
    ],
  )
  const states = new Map(rows.map((row) => [row['id'], stateIn(row)]))
  for (const [lane, each] of Map.groupBy(settled, ({ laneId }) => laneId))
    await tellBoss(transaction, lane, each, states)
  const over = rows.filter((row) => isOver(stateIn(row)))
  if (over.length < rows.length) await statements.run(`NOTIFY ${arrivals}`)
  await letFollow(transaction, over)
}

async function tellBoss(
  { client, boss }: QueueTransaction,
  lane: number,
  settled: readonly Settled[],
  states: ReadonlyMap<unknown, QueueJobState>,
): Promise<void> {
  const [again, over] = [true, false].map((isAgain) =>
    settled
      .filter(({ jobId }) => (states.get(jobId) === 'queued') === isAgain)
      .map(({ jobId, fence }) => ({ id: jobId, retryCount: fence })),
  )
  if (over !== undefined && over.length > 0)
    await boss.deleteJob(laneName(lane), over, within(client))
  if (again !== undefined && again.length > 0)
    await boss.fail(laneName(lane), again, null, within(client))
}

/** Has those begin that waited for a job that succeeded; others are cancelled, and those that wait for them. */
export async function letFollow(
  { statements }: QueueTransaction,
  over: readonly Row[],
): Promise<void> {
  if (over.length === 0) return
  const [told] = await statements.rows(
    `SELECT pg_notify('${endings}', ''), EXISTS (
       SELECT FROM queue_job WHERE after_job = ANY(?::uuid[]) AND state = 'waiting')::int AS has_followers`,
    [over.map(({ id = null }) => id)],
  )
  let before = told?.['has_followers'] === 1 ? over : []
  while (before.length > 0) {
    const followers = await statements.rows(
      `UPDATE queue_job job SET
         state = CASE before.state WHEN 'success' THEN 'queued' ELSE 'cancelled' END,
         ended_at = CASE before.state WHEN 'success' THEN NULL ELSE clock_timestamp() END,
         reason = CASE before.state WHEN 'success' THEN NULL ELSE 'not run, because task '
           || replace(before.id::text, '-', '') || ' before it ended with the status ' || before.state END
       FROM unnest(?::uuid[], ?::text[]) AS before (id, state)
       WHERE job.after_job = before.id AND job.state = 'waiting'
       RETURNING job.id::text, job.state, job.lane_id, job.priority`,
      [before.map(({ id = null }) => id), before.map(stateIn)],
    )
    const open = followers.filter((row) => stateIn(row) === 'queued')
    await sendJobs(
      statements,
      open.map((row) => ({
        id: String(row['id']),
        lane: Number(row['lane_id']),
        priority: Number(row['priority']),
      })),
    )
    if (open.length > 0) await statements.run(`NOTIFY ${arrivals}`)
    before = followers.filter((row) => stateIn(row) !== 'queued')
  }
}

const stateIn = (row: Row): QueueJobState => String(row['state']) as QueueJobState
