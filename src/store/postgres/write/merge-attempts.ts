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
  WHERE attempt.task_id = incoming.task_id AND attempt."user" = incoming."user"
    AND (${rank('incoming')} > ${rank('attempt')}
      OR (attempt.source_id = ? AND ${rank('incoming')} = ${rank('attempt')}))`

/** Those that the team has not: no row has to be looked for twice. */
const add = `
  INSERT INTO attempt (source_id, job_id, workflow_id, ${listed(attemptShape)})
  SELECT ?, coalesce(job.id, nextval('job_number')), job.workflow_id, ${listed(attemptShape, 'incoming_attempt.')}
  FROM incoming_attempt ${placed}
  WHERE incoming_attempt.task_id <> ALL (?)
  ORDER BY incoming_attempt.place`

export interface MergedAttempts {
  readonly added: number
  /** Tasks of the same user that somebody else has sent: theirs stay. */
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
  const { own, heldByOthers } = await knownTasks(statements, rows)
  if (heldByOthers.size > 0)
    await statements.run('DELETE FROM incoming_attempt WHERE task_id = ANY (?)', [
      [...heldByOthers],
    ])
  if (own.length > 0) await statements.run(change, [sourceId, sourceId])
  await announceAttempts(statements)
  return { added: await statements.run(add, [sourceId, sourceId, own]), heldByOthers }
}

async function knownTasks(
  statements: Statements,
  attempts: readonly Values[],
): Promise<{ own: string[]; heldByOthers: Set<string> }> {
  const sql = 'SELECT task_id, is_of_another::int AS is_of_another FROM known_tasks(?, ?)'
  const texts = (name: string): string[] => attempts.map((attempt) => String(attempt[name]))
  const rows = await statements.rows(sql, [texts('task_id'), texts('user')])
  const tasks = (isOfAnother: 0 | 1): string[] =>
    rows.flatMap((row) => (row['is_of_another'] === isOfAnother ? [String(row['task_id'])] : []))
  return { own: tasks(0), heldByOthers: new Set(tasks(1)) }
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
