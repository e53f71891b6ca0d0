import { describeJob } from '../../../model/describe-job.ts'
import { readQueueOrder, type QueueOrder } from '../../../model/queue-order.ts'
import type { QueueJob, QueueJobState } from '../../../model/queue.ts'
import type { Row } from '../../sqlite/row.ts'
import type { Statements } from '../connection.ts'
import { plainId } from './ids.ts'
import { QueueError } from './queue-error.ts'
import { toldState } from './told-state.ts'

const selectJob = `SELECT job.id::text, job.name, lane."user", ${toldState} AS state, job.priority, attempt_count, exit_code, reason,
    extract(epoch FROM submitted_at)::float8 AS submitted_at, extract(epoch FROM job.ended_at)::float8 AS ended_at,
    definition, latest.host, latest.run_seconds
  FROM queue_job job LEFT JOIN queue_lane lane ON lane.id = job.lane_id
  LEFT JOIN LATERAL (SELECT worker.host,
      extract(epoch FROM coalesce(attempt.ended_at, clock_timestamp()) - taken_at)::float8 AS run_seconds
    FROM queue_attempt attempt JOIN queue_worker worker ON worker.id = worker_id
    WHERE attempt.job_id = job.id ORDER BY number DESC LIMIT 1) latest ON true`

/** The jobs with these ids, as far as they are there. */
export async function findJobs(
  statements: Statements,
  ids: readonly string[],
): Promise<readonly QueueJob[]> {
  return (await statements.rows(`${selectJob} WHERE job.id = ANY(?::uuid[])`, [ids])).map(jobIn)
}

/** The one job whose id begins so. */
export async function findJob(statements: Statements, beginning: string): Promise<QueueJob> {
  const plain = plainId(beginning).toLowerCase()
  if (!/^[0-9a-f]{4,32}$/.test(plain)) throw new QueueError('unknown-job', beginning)
  const bounds = [plain.padEnd(32, '0'), plain.padEnd(32, 'f')]
  const rows = await statements.rows(
    `${selectJob} WHERE job.id BETWEEN ?::uuid AND ?::uuid LIMIT 2`,
    bounds,
  )
  const [row, another] = rows
  if (row === undefined) throw new QueueError('unknown-job', beginning)
  if (another !== undefined) throw new QueueError('ambiguous-job', beginning)
  return jobIn(row)
}

export interface JobsAsked {
  readonly user: string | undefined
  readonly states: readonly QueueJobState[]
  readonly limit: number
}

/** The jobs of the queue that are asked for, the newest first. */
export async function listJobs(
  statements: Statements,
  { user, states, limit }: JobsAsked,
): Promise<readonly QueueJob[]> {
  const ofUser = user === undefined ? '' : 'AND lane."user" = ?'
  const rows = await statements.rows(
    `${selectJob} WHERE ${toldState} = ANY(?::text[]) ${ofUser} ORDER BY submitted_at DESC LIMIT ?`,
    [states, ...(user === undefined ? [] : [user]), limit],
  )
  return rows.map(jobIn)
}

/** How jobs stand: cheap enough to be asked often. */
export async function statesOf(
  statements: Statements,
  ids: readonly string[],
): Promise<ReadonlyMap<string, QueueJobState>> {
  const rows = await statements.rows(
    'SELECT id::text, state FROM queue_job WHERE id = ANY(?::uuid[])',
    [ids],
  )
  return new Map(
    rows.map((row) => [plainId(String(row['id'])), String(row['state']) as QueueJobState]),
  )
}

const jobIn = (row: Row): QueueJob => ({
  id: plainId(String(row['id'])),
  name: String(row['name']),
  user: String(row['user']),
  state: String(row['state']) as QueueJobState,
  priority: Number(row['priority']),
  attempts: Number(row['attempt_count']),
  exitCode: numberOrNull(row['exit_code']),
  reason: row['reason'] === null ? null : String(row['reason']),
  submittedAt: Number(row['submitted_at']),
  runSeconds: numberOrNull(row['run_seconds']),
  endedAt: numberOrNull(row['ended_at']),
  host: row['host'] === null ? null : String(row['host']),
  order: orderIn(row),
})

function orderIn(row: Row): QueueOrder {
  const read = readQueueOrder(String(row['definition']))
  return read.kind === 'ok' ? read.value : unreadable
}

/** In place of an order that is none; of a job that was withdrawn before it arrived there is none either. */
const unreadable: QueueOrder = {
  ...describeJob([], { workingDirectory: '/' }),
  environment: {},
  labels: [],
  image: '',
  timeoutSeconds: null,
  memoryLimitBytes: null,
  graceSeconds: 0,
  intervalSeconds: null,
}

const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value))

/** An attempt of a job, with its result where that is known. */
export interface QueueAttempt {
  readonly taskId: string
  readonly jobId: string
  readonly number: number
  readonly state: 'running' | 'ended' | 'interrupted' | 'superseded'
  readonly hasStarted: boolean
  readonly result: string | null
  readonly host: string
}

/** The attempts of these jobs, the latest of each job last. */
export async function attemptsOf(
  statements: Statements,
  jobIds: readonly string[],
): Promise<readonly QueueAttempt[]> {
  const rows = await statements.rows(
    `SELECT task_id::text, job_id::text, number, attempt.state, has_started::int, result, host
     FROM queue_attempt attempt JOIN queue_worker worker ON worker.id = worker_id
     WHERE job_id = ANY(?::uuid[]) ORDER BY number`,
    [jobIds],
  )
  return rows.map((row) => ({
    taskId: plainId(String(row['task_id'])),
    jobId: plainId(String(row['job_id'])),
    number: Number(row['number']),
    state: String(row['state']) as QueueAttempt['state'],
    hasStarted: row['has_started'] === 1,
    result: row['result'] === null ? null : String(row['result']),
    host: String(row['host']),
  }))
}

/** Has a job end, whether or not somebody has taken it; false for one that is over or not there. */
export async function cancelJob(
  statements: Statements,
  id: string,
  request: number | null,
): Promise<boolean> {
  const [row] = await statements.rows('SELECT cancel_job(?::uuid, ?::int)::int AS is_open', [
    id,
    request,
  ])
  return row?.['is_open'] === 1
}
