import type { PoolClient } from 'pg'
import type { Statements } from '../connection.ts'
import { announceAttempts } from '../settled-ids.ts'
import type { Values } from './batch.ts'
import { assigned, copyIncoming, listed } from './incoming.ts'
import { lockTasks } from './locks.ts'
import { attemptShape, placeShape } from './shapes.ts'

const incoming = { name: 'incoming_attempt', shape: { ...attemptShape, ...placeShape } }

/** How much is known: an end that was seen counts for more than one that was not, and that for more than none. */
const rank = (table: string): string =>
  `CASE ${table}.status WHEN 'running' THEN 0 WHEN 'interrupted' THEN 1 ELSE 2 END`

/** The team's numbers for the job and the workflow of an attempt. */
const placed = `
  LEFT JOIN job ON job.source_id = ? AND job.source_job_id = incoming_attempt.source_job_id
    AND incoming_attempt.source_workflow_id IS NOT NULL`

const change = `
  UPDATE attempt SET ${assigned(attemptShape, 'incoming')},
    job_id = coalesce(incoming.team_job_id, attempt.job_id),
    workflow_id = coalesce(incoming.team_workflow_id, attempt.workflow_id)
  FROM (
    SELECT incoming_attempt.*, job.id AS team_job_id, job.workflow_id AS team_workflow_id
    FROM incoming_attempt ${placed}) AS incoming
  WHERE attempt.task_id = incoming.task_id
    AND (${rank('incoming')} > ${rank('attempt')}
      OR (attempt.source_id = ? AND ${rank('incoming')} = ${rank('attempt')}))`

const add = `
  INSERT INTO attempt (source_id, job_id, workflow_id, ${listed(attemptShape)})
  SELECT ?, coalesce(job.id, nextval('job_number')), job.workflow_id, ${listed(attemptShape, 'incoming_attempt.')}
  FROM incoming_attempt ${placed}
  WHERE NOT EXISTS (SELECT 1 FROM attempt WHERE attempt.task_id = incoming_attempt.task_id)
  ORDER BY incoming_attempt.place`

export interface MergedAttempts {
  readonly added: number
  /** Tasks that somebody else has sent: theirs stay. */
  readonly heldByOthers: ReadonlySet<string>
}

/** Attempts that the team has are brought up to date, others added. Belongs inside a transaction that has the source's lock. */
export async function mergeAttempts(
  client: PoolClient,
  statements: Statements,
  sourceId: number,
  rows: readonly Values[],
): Promise<MergedAttempts> {
  if (rows.length === 0) return { added: 0, heldByOthers: new Set() }
  await copyIncoming(client, statements, incoming, rows)
  const taskIds = rows.map((row) => String(row['task_id']))
  await lockTasks(statements, taskIds)
  const heldByOthers = await held(statements, taskIds)
  await statements.run('DELETE FROM incoming_attempt WHERE task_id = ANY (?)', [[...heldByOthers]])
  // Who joins late, or anew, need not bring what the team would drop at once.
  await statements.run("DELETE FROM incoming_attempt WHERE started_at < kept_since('records')")
  await statements.run(change, [sourceId, sourceId])
  await announceAttempts(statements)
  return { added: await statements.run(add, [sourceId, sourceId]), heldByOthers }
}

async function held(statements: Statements, taskIds: readonly string[]): Promise<Set<string>> {
  const rows = await statements.rows('SELECT held_by_others(?) AS task_id', [[...taskIds]])
  return new Set(rows.map((row) => String(row['task_id'])))
}

const vanish = `
  UPDATE attempt SET status = 'interrupted', reason = 'its record was deleted on its machine before its end was sent'
  WHERE source_id = ? AND status = 'running' AND task_id = ANY (?)`

/** Attempts that were running when they were last sent, and of which nothing more will come. */
export async function endVanished(
  statements: Statements,
  sourceId: number,
  taskIds: readonly string[],
): Promise<void> {
  if (taskIds.length > 0) await statements.run(vanish, [sourceId, [...taskIds]])
}
