import type {
  QueueJobState,
  QueueState,
  QueueStatus,
  QueueUserSeen,
  QueueWorkerSeen,
} from '../../../model/queue.ts'
import type { Row } from '../../sqlite/row.ts'
import type { Statements } from '../connection.ts'
import { plainId } from './ids.ts'
import { toldState } from './told-state.ts'

/** How the queue stands. Of jobs that are over, those of the last day are counted. */
export async function queueStatus(statements: Statements): Promise<QueueStatus> {
  const jobs = await statements.rows(
    `SELECT ${toldState} AS state, count(*) AS count FROM queue_job job
     WHERE ended_at IS NULL OR ended_at > clock_timestamp() - interval '1 day' GROUP BY 1`,
  )
  const users = await statements.rows(
    `SELECT "user", count(*) FILTER (WHERE state <> 'running') AS queued,
       count(*) FILTER (WHERE state = 'running') AS running,
       coalesce(sum(cpus) FILTER (WHERE state = 'running'), 0)::float8 AS cores
     FROM (SELECT lane."user", cpus, ${toldState} AS state FROM queue_job job JOIN queue_lane lane ON lane.id = job.lane_id
       WHERE ended_at IS NULL) AS open GROUP BY 1 ORDER BY 1`,
  )
  return {
    state: await queueState(statements),
    jobs: Object.fromEntries(
      jobs.map((row) => [String(row['state']) as QueueJobState, Number(row['count'])]),
    ),
    users: users.map(userIn),
    workers: await workersSeen(statements),
  }
}

/** Those that are there, and those that were lost in the last day. */
export async function workersSeen(statements: Statements): Promise<readonly QueueWorkerSeen[]> {
  const rows = await statements.rows(
    `SELECT worker.id::text, host, "user", cpus, memory_bytes, gpus, labels, rules, trouble, worker.state,
       extract(epoch FROM lease_until - clock_timestamp())::float8 AS left_seconds,
       extract(epoch FROM clock_timestamp() - lease_until + lease_seconds * interval '1 s')::float8 AS silent_seconds,
       (SELECT count(*) FROM queue_attempt WHERE worker_id = worker.id AND state = 'running' AND NOT is_ahead)
         AS running
     FROM queue_worker worker
     WHERE worker.state IN ('alive', 'draining')
       OR (worker.state = 'lost' AND lease_until > clock_timestamp() - interval '1 day')
     ORDER BY host, joined_at`,
  )
  return rows.map(workerIn)
}

/** Whether workers take anything at all. */
export async function queueState(statements: Statements): Promise<QueueState> {
  const [row] = await statements.rows('SELECT state FROM queue_state')
  return String(row?.['state'] ?? 'open') as QueueState
}

const userIn = (row: Row): QueueUserSeen => ({
  user: String(row['user']),
  queued: Number(row['queued']),
  running: Number(row['running']),
  cores: Number(row['cores']),
})

const workerIn = (row: Row): QueueWorkerSeen => ({
  id: plainId(String(row['id'])),
  host: String(row['host']),
  user: String(row['user']),
  labels: row['labels'] as unknown as string[],
  state: String(row['state']) as QueueWorkerSeen['state'],
  cpus: Number(row['cpus']),
  memoryBytes: Number(row['memory_bytes']),
  gpus: Number(row['gpus']),
  running: Number(row['running']),
  leaseSecondsLeft: Number(row['left_seconds']),
  silentSeconds: Math.max(0, Number(row['silent_seconds'])),
  rules: String(row['rules']),
  trouble: row['trouble'] === null ? null : String(row['trouble']),
})
