import { readQueueOrder, type QueueOrder } from '../../../model/queue-order.ts'
import { whyNot } from '../../../model/reading.ts'
import type { Row } from '../../sqlite/row.ts'
import type { Statements } from '../connection.ts'
import { bossSchema } from './boss-version.ts'
import { laneName, within, type BossTransaction } from './boss.ts'
import { chooseLanes, type WaitingLane, type WorkerRoom } from './choose-lanes.ts'
import { plainId } from './ids.ts'
import { undoAttempts } from './settle.ts'
import type { WorkerFacts } from './workers.ts'

/** What a worker has got to run. */
export interface TakenAttempt {
  readonly taskId: string
  readonly jobId: string
  readonly number: number
  /** Who submitted it. */
  readonly user: string
  readonly order: QueueOrder
}

/** Which lanes a worker takes jobs from, by who submitted them and what they run. */
export type Accepts = (lane: {
  readonly user: string
  readonly tool: string
  readonly program: string
  readonly image: string
}) => boolean

export interface Taker extends WorkerFacts {
  readonly id: string
  readonly accepts: Accepts
}

/** A worker that keeps room for a lane may be busy for days: after so long the others keep room for it as well. */
const trustedSeconds = 600

/** Enough to be counted; the sum of more might be too much for its column. */
const mostCounted = 1_000_000

/** Gives a worker what fits, under its lease. */
export async function takeJobs(
  { client, statements, boss }: BossTransaction,
  worker: Taker,
  room: WorkerRoom,
): Promise<readonly TakenAttempt[]> {
  const lanes = await waitingLanes(statements, worker, room.most)
  if (lanes.length === 0) return []
  const choice = chooseLanes(lanes, room)
  const taken: TakenAttempt[] = []
  for (const [lane, count] of choice.takes) {
    const jobs = await boss.fetch(laneName(lane), { batchSize: count, ...within(client) })
    if (jobs.length > 0) taken.push(...(await beginAttempts(statements, worker.id, lane, jobs)))
  }
  await noteChoice(statements, worker.id, choice)
  return taken
}

async function waitingLanes(
  statements: Statements,
  worker: Taker,
  most: number,
): Promise<readonly WaitingLane[]> {
  const ready = `FROM ${bossSchema}.job WHERE name = 'lane-' || lane.id AND state < 'active' AND NOT blocked
    AND start_after <= now()`
  const rows = await statements.rows(
    `SELECT lane.id, lane."user", tool, program, image, cpus, memory_bytes, gpus, overtaken, head.priority,
       extract(epoch FROM clock_timestamp() - greatest(head.created_on, served_at))::float8 AS waited,
       (reserved_by IS NOT NULL AND reserved_by <> ?::uuid
         AND reserved_since > clock_timestamp() - ${trustedSeconds} * interval '1 s' AND EXISTS (SELECT FROM queue_worker other
         WHERE other.id = reserved_by AND other.state = 'alive' AND other.lease_until > clock_timestamp()))::int
         AS elsewhere,
       counted.queued, coalesce(used.cores, 0)::float8 AS cores, coalesce(share.weight, 1)::float8 AS weight
     FROM queue_lane lane
     LEFT JOIN queue_share share ON share."user" = lane."user"
     LEFT JOIN (SELECT other."user", sum(other.cpus) AS cores FROM queue_attempt attempt
       JOIN queue_lane other ON other.id = attempt.lane_id WHERE attempt.state = 'running' GROUP BY 1) used
       ON used."user" = lane."user"
     CROSS JOIN LATERAL (SELECT priority, created_on ${ready} ORDER BY priority DESC, created_on LIMIT 1) head
     CROSS JOIN LATERAL (SELECT count(*) AS queued FROM (SELECT ${ready} LIMIT ?) AS few) counted
     WHERE cpus <= ? AND memory_bytes <= ? AND gpus <= ? AND labels <@ ?::text[]`,
    [worker.id, most, worker.cpus, worker.memoryBytes, worker.gpus, worker.labels],
  )
  return rows.filter((row) => worker.accepts(kindOf(row))).map(laneIn)
}

const kindOf = (row: Row) => ({
  user: String(row['user']),
  tool: String(row['tool']),
  program: String(row['program']),
  image: String(row['image']),
})

const laneIn = (row: Row): WaitingLane => ({
  id: Number(row['id']),
  user: String(row['user']),
  cpus: Number(row['cpus']),
  memoryBytes: Number(row['memory_bytes']),
  gpus: Number(row['gpus']),
  priority: Number(row['priority']),
  waitedSeconds: Number(row['waited']),
  overtaken: Number(row['overtaken']),
  reservedElsewhere: row['elsewhere'] === 1,
  queued: Number(row['queued']),
  userCores: Number(row['cores']),
  userWeight: Number(row['weight']),
})

async function noteChoice(
  statements: Statements,
  workerId: string,
  { takes, reserves, overtaken }: ReturnType<typeof chooseLanes>,
): Promise<void> {
  if (takes.size > 0)
    await statements.run(
      `UPDATE queue_lane SET served_at = clock_timestamp(), overtaken = 0, reserved_by = NULL, reserved_since = NULL
       WHERE id = ANY(?::bigint[]) AND (overtaken > 0 OR reserved_by IS NOT NULL
         OR served_at < clock_timestamp() - interval '1 s')`,
      [[...takes.keys()]],
    )
  const passed = [...overtaken].filter(([id]) => !takes.has(id))
  if (passed.length > 0)
    await statements.run(
      `UPDATE queue_lane SET overtaken = least(overtaken + times, ${mostCounted})
       FROM unnest(?::bigint[], ?::int[]) AS passed (lane_id, times) WHERE id = lane_id`,
      [passed.map(([id]) => id), passed.map(([, times]) => times)],
    )
  if (reserves !== null)
    await statements.run(
      `UPDATE queue_lane SET reserved_by = ?::uuid, reserved_since = coalesce(reserved_since, clock_timestamp())
       WHERE id = ? AND reserved_by IS DISTINCT FROM ?::uuid`,
      [workerId, reserves, workerId],
    )
}

async function beginAttempts(
  statements: Statements,
  workerId: string,
  laneId: number,
  jobs: readonly { readonly id: string; readonly retryCount: number }[],
): Promise<readonly TakenAttempt[]> {
  const ids = jobs.map(({ id }) => id)
  const fences = jobs.map(({ retryCount }) => retryCount)
  const rows = await statements.rows(
    `WITH job AS (
       UPDATE queue_job SET state = 'running', attempt_count = attempt_count + 1
       FROM unnest(?::uuid[], ?::int[]) AS given (given_id, fence)
       WHERE id = given_id AND lane_id = ? AND state = 'queued' RETURNING id, lane_id, attempt_count, definition, fence
     ), attempt AS (
       INSERT INTO queue_attempt (task_id, job_id, lane_id, worker_id, number, fence)
       SELECT attempt_id(id, attempt_count), id, lane_id, ?::uuid, attempt_count, fence FROM job
       RETURNING task_id, job_id
     )
     SELECT task_id::text, attempt.job_id::text, attempt_count, definition, lane_id, fence, "user",
       EXISTS (SELECT FROM queue_cancel WHERE queue_cancel.job_id = job.id)::int AS is_cancelled
     FROM attempt JOIN job ON job.id = attempt.job_id JOIN queue_lane lane ON lane.id = lane_id`,
    [ids, fences, laneId, workerId],
  )
  const isCancelled = (row: Row): boolean => row['is_cancelled'] === 1
  const wanted = rows.filter((row) => !isCancelled(row))
  await undoAttempts(statements, rows.filter(isCancelled), {
    status: 'cancelled',
    reason: 'cancelled before it began',
  })
  for (const row of wanted) {
    const order = orderIn(row)
    if (order.kind === 'ok') continue
    const reason = `what is to be run cannot be read: ${whyNot(order)}`
    await undoAttempts(statements, [row], { status: 'error', reason })
  }
  return takenIn(wanted)
}

const orderIn = (row: Row) => readQueueOrder(String(row['definition']))

/** Those that can be read. */
export const takenIn = (rows: readonly Row[]): readonly TakenAttempt[] =>
  rows.flatMap((row) => {
    const order = orderIn(row)
    if (order.kind !== 'ok') return []
    const [taskId, jobId] = [plainId(String(row['task_id'])), plainId(String(row['job_id']))]
    const number = Number(row['attempt_count'])
    return [{ taskId, jobId, number, user: String(row['user']), order: order.value }]
  })
