import { readQueueOrder, type QueueOrder } from '../../../model/queue-order.ts'
import { whyNot } from '../../../model/reading.ts'
import type { Row } from '../../sqlite/row.ts'
import type { Statements } from '../connection.ts'
import { bossSchema } from './boss-version.ts'
import { laneName, within, type BossTransaction } from './boss.ts'
import {
  chooseLanes,
  mostOvertaken,
  patienceSeconds,
  type WaitingLane,
  type WorkerRoom,
} from './choose-lanes.ts'
import { plainId } from './ids.ts'
import type { LaneWaits } from './lane-waits.ts'
import { undoAttempts } from './settle.ts'
import type { WorkerFacts } from './workers.ts'

/** What a worker has got to run. */
export interface TakenAttempt {
  readonly taskId: string
  readonly jobId: string
  /** Of jobs that are alike. */
  readonly laneId: number
  readonly number: number
  /** Whether it was taken before there was room for it. */
  readonly isAhead: boolean
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

/** Gives a worker what fits, under its lease. */
export async function takeJobs(
  { client, statements, boss }: BossTransaction,
  worker: Taker,
  room: WorkerRoom,
  waits: LaneWaits,
): Promise<readonly TakenAttempt[]> {
  const waiting = await waitingLanes(statements, worker, room)
  const lanes = waiting.map((lane) => waits.applied(lane))
  const { takes, takesAhead, overtaken, reserves } = chooseLanes(lanes, room)
  const lanesTaken = new Set([...takes.keys(), ...takesAhead.keys()])
  const taken: TakenAttempt[] = []
  for (const lane of lanesTaken) {
    const [withRoom, ahead] = [takes.get(lane) ?? 0, takesAhead.get(lane) ?? 0]
    const jobs = await boss.fetch(laneName(lane), {
      batchSize: withRoom + ahead,
      ...within(client),
    })
    const given = jobs.map((job, index) => ({ ...job, isAhead: index >= withRoom }))
    const begun = given.length === 0 ? [] : await beginAttempts(statements, worker.id, lane, given)
    taken.push(...begun)
    if (begun.length < given.length) waits.gone(lane)
  }
  for (const [lane, times] of overtaken) if (!lanesTaken.has(lane)) waits.passed(lane, times)
  if (reserves !== null) waits.reserved(reserves)
  return taken.toSorted((one, other) => Number(one.isAhead) - Number(other.isAhead))
}

/** Of each user so many lanes that fit, and so many that do not, are looked at; more where some of them are not accepted. */
const firstLanes = 64
const moreLanes = 16

async function waitingLanes(
  statements: Statements,
  worker: Taker,
  room: WorkerRoom,
): Promise<readonly WaitingLane[]> {
  for (let limit = firstLanes; ; limit *= moreLanes) {
    const rows = await firstOfUsers(statements, worker, room, limit)
    const accepted = rows.filter((row) => worker.accepts(kindOf(row)))
    const hasAll = rows.every((row) => Number(row['place']) < limit)
    if (hasAll || accepted.length === rows.length) return accepted.map(laneIn)
  }
}

function firstOfUsers(
  statements: Statements,
  worker: Taker,
  { free, most }: WorkerRoom,
  limit: number,
): Promise<Row[]> {
  const ready = `FROM ${bossSchema}.job WHERE state < 'active' AND NOT blocked AND start_after <= now()`
  const first = 'ORDER BY name, priority DESC, created_on LIMIT 1'
  // From the first job of one lane to that of the next, by the index of pg-boss: lanes in which nothing waits cost nothing.
  // OFFSET 0: each lane by its key, whatever the planner knows of how many there are.
  return statements.rows(
    `WITH RECURSIVE head AS (
       (SELECT name, priority, created_on ${ready} ${first})
       UNION ALL SELECT next.* FROM head CROSS JOIN LATERAL (
         SELECT name, priority, created_on ${ready} AND name > head.name ${first}) next
     ), used AS MATERIALIZED (
       SELECT "user", sum(cpus) AS cores FROM queue_attempt attempt JOIN queue_lane lane ON lane.id = attempt.lane_id
       WHERE attempt.state = 'running' AND NOT is_ahead GROUP BY 1
     ), lane AS (
       SELECT *, row_number() OVER (
         PARTITION BY "user", cpus <= ? AND memory_bytes <= ? AND gpus <= ?
         ORDER BY overtaken >= ${mostOvertaken} OR waited >= ${patienceSeconds} DESC, priority DESC, waited DESC) AS place
       FROM (SELECT lane.*, name, priority,
           extract(epoch FROM clock_timestamp() - greatest(created_on, served_at))::float8 AS waited
         FROM head CROSS JOIN LATERAL (
           SELECT * FROM queue_lane WHERE id = substr(head.name, length('lane-') + 1)::bigint
             AND cpus <= ? AND memory_bytes <= ? AND gpus <= ? AND labels <@ ?::text[] OFFSET 0) lane) AS fitting
     )
     SELECT id, lane."user", tool, program, image, cpus, memory_bytes, gpus, overtaken, priority, waited, place,
       (reserved_by IS NOT NULL AND reserved_by <> ?::uuid
         AND reserved_since > clock_timestamp() - ${trustedSeconds} * interval '1 s' AND EXISTS (SELECT FROM queue_worker other
         WHERE other.id = reserved_by AND other.state = 'alive' AND other.lease_until > clock_timestamp()))::int
         AS elsewhere,
       counted.queued, coalesce(used.cores, 0)::float8 AS cores, coalesce(share.weight, 1)::float8 AS weight
     FROM lane
     LEFT JOIN queue_share share ON share."user" = lane."user"
     LEFT JOIN used ON used."user" = lane."user"
     CROSS JOIN LATERAL (SELECT count(*) AS queued FROM (SELECT ${ready} AND name = lane.name LIMIT ?) AS few) counted
     WHERE place <= ?`,
    [
      free.cpus,
      free.memoryBytes,
      free.gpus,
      worker.cpus,
      worker.memoryBytes,
      worker.gpus,
      worker.labels,
      worker.id,
      most,
      limit,
    ],
  )
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

/** The first attempt of a job has the id of the job. */
async function beginAttempts(
  statements: Statements,
  workerId: string,
  laneId: number,
  jobs: readonly { readonly id: string; readonly retryCount: number; readonly isAhead: boolean }[],
): Promise<readonly TakenAttempt[]> {
  const ids = jobs.map(({ id }) => id)
  const fences = jobs.map(({ retryCount }) => retryCount)
  const areAhead = jobs.map(({ isAhead }) => isAhead)
  // Only jobs of this lane, which says whose they are: somebody may have put the id of another's job there.
  const rows = await statements.rows(
    `WITH job AS (
       UPDATE queue_job SET state = 'running', attempt_count = attempt_count + 1
       FROM unnest(?::uuid[], ?::int[], ?::boolean[]) AS given (given_id, fence, is_ahead)
       WHERE id = given_id AND lane_id = ? AND state = 'queued'
       RETURNING id, lane_id, attempt_count, definition, fence, is_ahead
     ), attempt AS (
       INSERT INTO queue_attempt (task_id, job_id, lane_id, worker_id, number, fence, is_ahead)
       SELECT attempt_id(id, attempt_count), id, lane_id, ?::uuid, attempt_count, fence, is_ahead FROM job
       RETURNING task_id, job_id
     )
     SELECT task_id::text, attempt.job_id::text, lane_id, attempt_count, is_ahead::int, definition, fence, "user",
       EXISTS (SELECT FROM queue_cancel WHERE queue_cancel.job_id = job.id)::int AS is_cancelled
     FROM attempt JOIN job ON job.id = attempt.job_id JOIN queue_lane lane ON lane.id = lane_id`,
    [ids, fences, areAhead, laneId, workerId],
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
    return [
      {
        taskId: plainId(String(row['task_id'])),
        jobId: plainId(String(row['job_id'])),
        laneId: Number(row['lane_id']),
        number: Number(row['attempt_count']),
        isAhead: row['is_ahead'] === 1,
        user: String(row['user']),
        order: order.value,
      },
    ]
  })
