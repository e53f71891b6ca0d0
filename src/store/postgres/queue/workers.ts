import type { Claim } from '../../../model/claim.ts'
import type { QueueState } from '../../../model/queue.ts'
import type { Statements } from '../connection.ts'

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
 * By the clock of the database, whatever the worker's own says; false where the lease was lost, or somebody is about to say
 * so. It waits for nothing that an exchange does: a busy database must not cost a worker its jobs.
 */
export async function renewLease(statements: Statements, id: string): Promise<boolean> {
  const renewed = await statements.run(
    `UPDATE queue_worker SET lease_until = clock_timestamp() + lease_seconds * interval '1 s'
     WHERE id IN (${standing} FOR NO KEY UPDATE SKIP LOCKED)`,
    [id],
  )
  return renewed > 0
}

/** A worker that was not told to be lost; only a reaper locks it so that this has to be passed over. */
const standing = `SELECT id FROM queue_worker WHERE id = ?::uuid AND state IN ('alive', 'draining')`

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
  // A lease can be renewed under this lock, and nobody can reap the worker.
  const held = await statements.rows(`${standing} FOR KEY SHARE SKIP LOCKED`, [id])
  if (held.length === 0) return undefined
  const [row] = await statements.rows(
    `SELECT state, (
       SELECT json_object_agg(replace(task_id::text, '-', ''), requests)::text
       FROM queue_attempt attempt JOIN queue_cancel USING (job_id)
       WHERE attempt.state = 'running' AND worker_id = ?::uuid
     ) AS cancels FROM queue_state`,
    [id],
  )
  const cancels = JSON.parse(String(row?.['cancels'] ?? '{}')) as Record<string, number>
  return { state: String(row?.['state']) as QueueState, cancels: new Map(Object.entries(cancels)) }
}

export async function setDraining(statements: Statements, id: string): Promise<void> {
  await statements.run(
    `UPDATE queue_worker SET state = 'draining' WHERE id = ?::uuid AND state = 'alive'`,
    [id],
  )
}

/** Why it takes nothing for the time being; null where it does. */
export async function tellTrouble(
  statements: Statements,
  id: string,
  trouble: string | null,
): Promise<void> {
  await statements.run('UPDATE queue_worker SET trouble = ? WHERE id = ?::uuid', [trouble, id])
}

/** A worker that has nothing any more. */
export async function leaveQueue(statements: Statements, id: string): Promise<void> {
  await statements.run(
    `UPDATE queue_worker SET state = 'gone' WHERE id IN (${standing} FOR NO KEY UPDATE SKIP LOCKED)`,
    [id],
  )
}

/** Takes what they held from workers whose lease is over; answers how many jobs that were. */
export async function reapWorkers(statements: Statements): Promise<number> {
  const [row] = await statements.rows('SELECT reap_workers() AS reaped')
  return Number(row?.['reaped'])
}
