import type { Claim } from '../../../model/claim.ts'
import type { QueueState } from '../../../model/queue.ts'
import type { Row } from '../../sqlite/row.ts'
import type { Statements } from '../connection.ts'
import { LaneWaits } from './lane-waits.ts'
import { settleJobs, type QueueTransaction, type Settled } from './settle.ts'

export interface WorkerFacts extends Claim {
  readonly host: string
  readonly user: string
  readonly labels: readonly string[]
  /** How long it may be silent. */
  readonly leaseSeconds: number
  /** What it accepts, as JSON, for people to be told of. */
  readonly rules?: string
}

export async function joinQueue(
  statements: Statements,
  id: string,
  facts: WorkerFacts,
): Promise<void> {
  const { host, user, cpus, memoryBytes, gpus, labels, leaseSeconds, rules = '{}' } = facts
  await statements.run(
    `INSERT INTO queue_worker (id, host, "user", cpus, memory_bytes, gpus, labels, rules, lease_seconds, lease_until)
     VALUES (?::uuid, ?, ?, ?, ?, ?, ?, ?, ?, clock_timestamp() + ? * interval '1 s')
     ON CONFLICT (id) DO NOTHING`,
    [id, host, user, cpus, memoryBytes, gpus, labels, rules, leaseSeconds, leaseSeconds],
  )
}

/**
 * By the clock of the database, whatever the worker's own says; false where the lease was lost. It waits for nothing that an
 * exchange does: a busy database must not cost a worker its jobs.
 */
export async function renewLease(statements: Statements, id: string): Promise<boolean> {
  const renewed = await statements.run(
    `UPDATE queue_worker SET lease_until = clock_timestamp() + lease_seconds * interval '1 s'
     WHERE id = ?::uuid AND state IN ('alive', 'draining')`,
    [id],
  )
  return renewed > 0
}

/** What a worker is told before anything else. */
export interface Standing {
  readonly state: QueueState
  /** How often each of its attempts was asked to end. */
  readonly cancels: ReadonlyMap<string, number>
}

/** Keeps the worker from being called lost until the transaction is over. Undefined where it was already. */
export async function holdWorker(
  statements: Statements,
  id: string,
): Promise<Standing | undefined> {
  await statements.rows('SELECT pg_advisory_xact_lock_shared(?, hashtext(?))', [holdLock, id])
  const [row] = await statements.rows(
    `SELECT queue_state.state, (
       SELECT json_object_agg(replace(task_id::text, '-', ''), cancel_requests)::text
       FROM queue_job job JOIN queue_attempt attempt ON attempt.job_id = job.id
       WHERE cancel_requests > 0 AND job.ended_at IS NULL AND attempt.state = 'running' AND worker_id = worker.id
     ) AS cancels
     FROM queue_worker worker, queue_state WHERE worker.id = ?::uuid AND worker.state IN ('alive', 'draining')`,
    [id],
  )
  if (row === undefined) return undefined
  const cancels = JSON.parse(String(row['cancels'] ?? '{}')) as Record<string, number>
  return { state: String(row['state']) as QueueState, cancels: new Map(Object.entries(cancels)) }
}

/** The first half of the names of locks, of which the second half is a worker. */
const holdLock = 0x6a6d7771

export async function setDraining(statements: Statements, id: string): Promise<void> {
  await statements.run(
    `UPDATE queue_worker SET state = 'draining' WHERE id = ?::uuid AND state = 'alive'`,
    [id],
  )
}

/** A worker that has nothing any more. */
export async function leaveQueue(statements: Statements, id: string): Promise<void> {
  await statements.run(
    `UPDATE queue_worker SET state = 'gone' WHERE id = ?::uuid AND state IN ('alive', 'draining')`,
    [id],
  )
}

/**
 * Takes what they held from workers whose lease is over; answers how many jobs that were. Who may not change all of these
 * jobs leaves the others to whoever may: a lost worker stays lost.
 */
export async function reapWorkers(transaction: QueueTransaction): Promise<number> {
  const { statements } = transaction
  await statements.run(
    `UPDATE queue_worker SET state = 'lost' WHERE id IN (
       SELECT id FROM queue_worker WHERE state IN ('alive', 'draining') AND lease_until < clock_timestamp()
         AND pg_try_advisory_xact_lock(?, hashtext(replace(id::text, '-', '')))
       FOR UPDATE SKIP LOCKED)
     AND lease_until < clock_timestamp()`,
    [holdLock],
  )
  const rows = await statements.rows(
    `UPDATE queue_attempt attempt SET state = 'interrupted', ended_at = clock_timestamp()
     FROM queue_worker worker
     WHERE worker.id = attempt.worker_id AND worker.state = 'lost' AND attempt.state = 'running'
     RETURNING attempt.job_id::text, attempt.lane_id, attempt.fence, worker.host`,
  )
  await settleJobs(transaction, rows.map(interruptedIn))
  const waits = new LaneWaits()
  for (const row of rows) waits.gone(Number(row['lane_id']))
  await waits.keep(statements, null)
  return rows.length
}

const interruptedIn = (row: Row): Settled => ({
  jobId: String(row['job_id']),
  laneId: Number(row['lane_id']),
  fence: Number(row['fence']),
  status: 'interrupted',
  exitCode: null,
  reason: `its worker on ${String(row['host'])} was lost`,
})
