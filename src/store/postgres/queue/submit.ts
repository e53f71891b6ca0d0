import type { PoolClient } from 'pg'
import type { PgBoss } from 'pg-boss'
import { isOver, type QueueJobState, type QueueSubmission } from '../../../model/queue.ts'
import type { Row } from '../../sqlite/row.ts'
import type { Database, Statements } from '../connection.ts'
import { laneName, within } from './boss.ts'
import { dashedId } from './ids.ts'
import { forgetGoneLanes, laneKey, lanesOf, type Lanes } from './lanes.ts'
import { arrivals } from './news.ts'
import { QueueError } from './queue-error.ts'
import { letFollow } from './settle.ts'

/** Rows in one statement: enough to spare round trips, few enough for memory. */
const batchRows = 5_000

/** The job and its place in the queue are there together, or neither is: all of these jobs, or none. */
export async function submitJobs(
  database: Database,
  boss: PgBoss,
  given: readonly QueueSubmission[],
): Promise<void> {
  const submissions = await inTheirNames(database, given)
  try {
    await submitInLanes(database, boss, submissions)
  } catch (error) {
    if (!(await forgetGoneLanes(database, boss))) throw error
    await submitInLanes(database, boss, submissions)
  }
}

async function submitInLanes(
  database: Database,
  boss: PgBoss,
  submissions: readonly QueueSubmission[],
): Promise<void> {
  const lanes = await lanesOf(database, boss, submissions)
  await database.transaction(async (client, statements) => {
    const [row] = await statements.rows('SELECT state FROM queue_state')
    if (row?.['state'] === 'draining') throw new QueueError('draining')
    const together = new Set(submissions.map(({ id }) => id))
    for (let from = 0; from < submissions.length; from += batchRows) {
      const batch = submissions.slice(from, from + batchRows)
      const open = await insertJobs(statements, batch, lanes, together)
      await sendJobs(client, boss, open, lanes)
    }
    await letFollow({ client, statements, boss }, await overBefore(statements, submissions))
    await statements.run(`NOTIFY ${arrivals}`)
  })
}

/** Of the jobs that these come after, those that are over by now: cancelled as they came in, or withdrawn before that. */
async function overBefore(
  statements: Statements,
  submissions: readonly QueueSubmission[],
): Promise<readonly Row[]> {
  const ids = [...new Set(submissions.flatMap(({ after }) => after ?? []))]
  if (ids.length === 0) return []
  return statements.rows(
    'SELECT id::text, state FROM queue_job WHERE id = ANY(?::uuid[]) AND ended_at IS NOT NULL',
    [ids],
  )
}

/** As whom the database knows who submits: nobody submits in the name of another, but for administrators. */
export async function nameThere(statements: Statements, claimed: string): Promise<string> {
  const [row] = await statements.rows('SELECT queue_submitter(?) AS name', [claimed])
  return String(row?.['name'])
}

async function inTheirNames(
  statements: Statements,
  submissions: readonly QueueSubmission[],
): Promise<readonly QueueSubmission[]> {
  const names = new Map<string, string>()
  for (const { user } of submissions)
    if (!names.has(user)) names.set(user, await nameThere(statements, user))
  return submissions.map((each) => ({ ...each, user: names.get(each.user) ?? each.user }))
}

/** The jobs that can be taken now. One that is there already under its id is not put in again. */
async function insertJobs(
  statements: Statements,
  batch: readonly QueueSubmission[],
  lanes: Lanes,
  together: ReadonlySet<string>,
): Promise<readonly QueueSubmission[]> {
  const before = await statesOf(statements, batch)
  const begins = batch.map((each) => beginOf(each, before, together))
  const column = (value: (each: QueueSubmission) => string | number | null) => batch.map(value)
  const rows = await statements.rows(
    `INSERT INTO queue_job (id, lane_id, name, priority, definition, after_job, state, retries, interruptions,
       reason, ended_at)
     SELECT given.*, CASE state WHEN 'cancelled' THEN clock_timestamp() END
     FROM unnest(?::uuid[], ?::bigint[], ?::text[], ?::int[], ?::text[], ?::uuid[], ?::text[], ?::int[], ?::int[], ?::text[])
       AS given (id, lane_id, name, priority, definition, after_job, state, retries, interruptions, reason)
     ON CONFLICT (id) DO NOTHING
     RETURNING id::text, state`,
    [
      column(({ id }) => id),
      column((each) => lanes.get(laneKey(each)) ?? null),
      column(({ order }) => order.name),
      column(({ priority }) => priority),
      column(({ order }) => JSON.stringify(order)),
      column(({ after }) => after),
      begins.map(({ state }) => state),
      column(({ retries }) => retries),
      column(({ interruptions }) => interruptions),
      begins.map(({ reason }) => reason),
    ],
  )
  const queued = new Set(rows.filter((row) => row['state'] === 'queued').map((row) => row['id']))
  return batch.filter(({ id }) => queued.has(dashedId(id)))
}

/** How a job begins: with the one before it, where there is one. */
function beginOf(
  { after }: QueueSubmission,
  before: ReadonlyMap<unknown, QueueJobState>,
  together: ReadonlySet<string>,
): { readonly state: QueueJobState; readonly reason: string | null } {
  const state = after === null ? 'success' : before.get(dashedId(after))
  if (state === 'success') return { state: 'queued', reason: null }
  if (state === undefined ? together.has(after ?? '') : !isOver(state))
    return { state: 'waiting', reason: null }
  const how = state === undefined ? 'is not known' : `ended with the status ${state}`
  return { state: 'cancelled', reason: `not run, because task ${after} before it ${how}` }
}

/** Of the jobs that others come after; they do not end until these are in the queue. */
async function statesOf(
  statements: Statements,
  batch: readonly QueueSubmission[],
): Promise<ReadonlyMap<unknown, QueueJobState>> {
  const ids = [...new Set(batch.flatMap(({ after }) => after ?? []))]
  if (ids.length === 0) return new Map()
  const rows = await statements.rows(
    'SELECT id::text, state FROM queue_job WHERE id = ANY(?::uuid[]) FOR SHARE',
    [ids],
  )
  return new Map(rows.map((row) => [row['id'], String(row['state']) as QueueJobState]))
}

async function sendJobs(
  client: PoolClient,
  boss: PgBoss,
  jobs: readonly QueueSubmission[],
  lanes: Lanes,
): Promise<void> {
  for (const [lane, batch] of Map.groupBy(jobs, (job) => lanes.get(laneKey(job)) ?? 0))
    await boss.insert(
      laneName(lane),
      batch.map(({ id, priority }) => ({ id: dashedId(id), priority })),
      { ...within(client), returnId: false },
    )
}
