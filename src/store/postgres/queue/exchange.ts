import type { QueueState } from '../../../model/queue.ts'
import type { Row } from '../../sqlite/row.ts'
import type { Statements } from '../connection.ts'
import type { BossTransaction } from './boss.ts'
import type { WorkerRoom } from './choose-lanes.ts'
import { dashedId, plainId } from './ids.ts'
import { LaneWaits } from './lane-waits.ts'
import { QueueError } from './queue-error.ts'
import { settleJobs, undoAttempts, type Settled } from './settle.ts'
import { takenIn, takeJobs, type TakenAttempt, type Taker } from './take.ts'
import { holdWorker, setDraining } from './workers.ts'

/** The end of an attempt, as its worker tells it. */
export interface EndedAttempt {
  readonly taskId: string
  readonly status: string
  readonly exitCode: number | null
  readonly reason: string | null
  /** All that is known of it, as JSON; null of one that never began. */
  readonly result: string | null
}

/** An attempt that its worker did not begin, and how many that it took later have begun meanwhile. */
export interface GivenBack {
  readonly taskId: string
  readonly passedOver: number
}

export interface ExchangeRequest {
  readonly worker: Taker
  readonly isDraining: boolean
  readonly ends: readonly EndedAttempt[]
  /** Those that run by now and were not told to. */
  readonly started: readonly string[]
  /** Those that were not begun, and are for others. */
  readonly givesBack: readonly GivenBack[]
  /** All that it knows to have; only where an answer may have got lost, which is asked for again then. */
  readonly known: readonly string[] | null
  /** null: it takes nothing. */
  readonly room: WorkerRoom | null
}

export interface ExchangeAnswer {
  readonly taken: readonly TakenAttempt[]
  /** How often each was asked to end. */
  readonly cancels: ReadonlyMap<string, number>
  /** Whose results came too late. */
  readonly superseded: readonly string[]
  readonly state: QueueState
}

/**
 * All that a worker and the queue have to tell each other, in one transaction: what has ended is settled,
 * and there is something new to do. Asked again with the same ends it changes nothing.
 */
export async function exchange(
  transaction: BossTransaction,
  request: ExchangeRequest,
): Promise<ExchangeAnswer> {
  const { statements } = transaction
  const { worker, room } = request
  const standing = await holdWorker(statements, worker.id)
  if (standing === undefined) throw new QueueError('lease-lost')
  if (request.isDraining) await setDraining(statements, worker.id)
  const waits = new LaneWaits()
  const superseded = await keepEnds(statements, worker.id, request.ends, waits)
  if (request.givesBack.length > 0) await giveBack(statements, worker.id, request.givesBack, waits)
  if (request.started.length > 0) await keepStarts(statements, request.started, waits)
  const forgotten =
    request.known === null ? [] : await forgottenBy(statements, worker.id, request.known)
  const { state, cancels } = standing
  const taken =
    room === null || room.most === 0 || state === 'paused'
      ? []
      : await takeJobs(transaction, worker, room, waits)
  await waits.keep(statements, worker.id)
  return { taken: [...forgotten, ...taken], cancels, superseded, state }
}

/** Keeps results that come after a lease is over. */
export async function keepLateEnds(
  statements: Statements,
  workerId: string,
  ends: readonly EndedAttempt[],
): Promise<void> {
  const waits = new LaneWaits()
  await keepEnds(statements, workerId, ends, waits)
  await waits.keep(statements, workerId)
}

/** Keeps results; answers those that came too late to count. */
async function keepEnds(
  statements: Statements,
  workerId: string,
  ends: readonly EndedAttempt[],
  waits: LaneWaits,
): Promise<readonly string[]> {
  if (ends.length === 0) return []
  const rows = await statements.rows(
    `UPDATE queue_attempt attempt SET
       state = CASE WHEN state <> 'running' THEN 'superseded' WHEN told.status = 'interrupted' THEN 'interrupted'
         ELSE 'ended' END,
       result = told.result, ended_at = coalesce(ended_at, clock_timestamp())
     FROM unnest(?::uuid[], ?::text[], ?::text[]) AS told (task_id, result, status)
     WHERE attempt.task_id = told.task_id
       AND ((state = 'interrupted' AND attempt.result IS NULL) OR (state = 'running' AND worker_id = ?::uuid))
     RETURNING attempt.task_id::text, job_id::text, lane_id, fence, state`,
    [
      ends.map(({ taskId }) => taskId),
      ends.map(({ result }) => result),
      ends.map(({ status }) => status),
      workerId,
    ],
  )
  const told = new Map(ends.map((end) => [dashedId(end.taskId), end]))
  const accepted = rows.flatMap((row): Settled[] => {
    const end = told.get(String(row['task_id']))
    if (end === undefined || row['state'] === 'superseded') return []
    const { status, exitCode, reason, result } = end
    const laneId = Number(row['lane_id'])
    if (result === null) waits.gone(laneId)
    else waits.served(laneId)
    return [
      {
        jobId: String(row['job_id']),
        laneId,
        fence: Number(row['fence']),
        status,
        exitCode,
        reason,
      },
    ]
  })
  await settleJobs(statements, accepted)
  return rows.filter((row) => row['state'] === 'superseded').map(taskIn)
}

async function keepStarts(
  statements: Statements,
  started: readonly string[],
  waits: LaneWaits,
): Promise<void> {
  const rows = await statements.rows(
    `UPDATE queue_attempt SET has_started = true, is_ahead = false WHERE task_id = ANY(?::uuid[]) RETURNING lane_id`,
    [started],
  )
  for (const row of rows) waits.served(Number(row['lane_id']))
}

/** As if they had never been taken. */
async function giveBack(
  statements: Statements,
  workerId: string,
  given: readonly GivenBack[],
  waits: LaneWaits,
): Promise<void> {
  const rows = await statements.rows(
    `SELECT task_id::text, job_id::text, lane_id, fence, passed_over
     FROM unnest(?::uuid[], ?::int[]) AS told (id, passed_over) JOIN queue_attempt ON task_id = told.id
     WHERE state = 'running' AND worker_id = ?::uuid`,
    [given.map(({ taskId }) => taskId), given.map(({ passedOver }) => passedOver), workerId],
  )
  await undoAttempts(statements, rows, { status: 'returned', reason: null })
  // Each of them was passed over by the same jobs.
  for (const [lane, each] of Map.groupBy(rows, (row) => Number(row['lane_id'])))
    waits.passed(lane, Math.max(...each.map((row) => Number(row['passed_over']))))
}

/** What a worker took without hearing of it. */
async function forgottenBy(
  statements: Statements,
  workerId: string,
  known: readonly string[],
): Promise<readonly TakenAttempt[]> {
  const rows = await statements.rows(
    `SELECT task_id::text, job_id::text, number AS attempt_count, attempt.lane_id, is_ahead::int, definition,
       lane."user"
     FROM queue_attempt attempt JOIN queue_job job ON job.id = attempt.job_id JOIN queue_lane lane ON lane.id = attempt.lane_id
     WHERE worker_id = ?::uuid AND attempt.state = 'running' AND NOT task_id = ANY(?::uuid[])`,
    [workerId, known],
  )
  return takenIn(rows)
}

const taskIn = (row: Row): string => plainId(String(row['task_id']))
