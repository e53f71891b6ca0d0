import { resolve } from 'node:path'
import type { PgBoss } from 'pg-boss'
import { claimOf } from '../../../model/claim.ts'
import type { QueueOrder, QueueSubmission } from '../../../model/queue.ts'
import type { Database } from '../connection.ts'
import { makeLaneQueues } from './boss.ts'

/** The number of each lane, by its key. */
export type Lanes = ReadonlyMap<string, number>

type Laned = Pick<QueueSubmission, 'order' | 'user'>

const lanesKnown = new WeakMap<PgBoss, Map<string, number>>()

/** The lanes of these jobs, by their keys. A lane that nobody uses in the end does no harm. */
export async function lanesOf(
  database: Database,
  boss: PgBoss,
  submissions: readonly Laned[],
): Promise<Lanes> {
  const known = lanesKnown.get(boss) ?? new Map<string, number>()
  lanesKnown.set(boss, known)
  const unknown = new Map(submissions.map((each) => [laneKey(each), each]))
  for (const key of known.keys()) unknown.delete(key)
  // In one order, so that no two who make the same lanes wait for each other.
  const keys = [...unknown.keys()].toSorted()
  const ids = await findLanes(
    database,
    keys.flatMap((key) => unknown.get(key) ?? []),
  )
  await makeLaneQueues(database, ids)
  for (const [index, key] of keys.entries()) known.set(key, ids[index] ?? 0)
  return known
}

/** Whether some that were known are not there any more: nobody had used them for as long as the team keeps records. */
export async function forgetGoneLanes(database: Database, boss: PgBoss): Promise<boolean> {
  const known = [...(lanesKnown.get(boss)?.values() ?? [])]
  const rows = await database.rows('SELECT id FROM queue_lane WHERE id = ANY(?::bigint[])', [known])
  lanesKnown.delete(boss)
  return rows.length < known.length
}

/** The lanes of these, which have no two alike, in their order; all of them at once, for there may be thousands. */
async function findLanes(database: Database, laned: readonly Laned[]): Promise<readonly number[]> {
  if (laned.length === 0) return []
  const claims = laned.map(({ order }) => claimOf(order.requirements))
  const columns = '"user", tool, program, image, cpus, memory_bytes, gpus, labels'
  const given = `SELECT "user", tool, program, image, cpus, memory_bytes, gpus,
      ARRAY(SELECT jsonb_array_elements_text(listed::jsonb)) AS labels, place
    FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::float8[], ?::float8[], ?::float8[], ?::text[])
      WITH ORDINALITY AS given ("user", tool, program, image, cpus, memory_bytes, gpus, listed, place)`
  const values = [
    laned.map(({ user }) => user),
    laned.map(({ order }) => order.tool),
    laned.map(({ order }) => programOf(order)),
    laned.map(({ order }) => order.image),
    claims.map(({ cpus }) => cpus),
    claims.map(({ memoryBytes }) => memoryBytes),
    claims.map(({ gpus }) => gpus),
    laned.map(({ order }) => JSON.stringify(order.labels.toSorted())),
  ]
  const find = () =>
    database.rows(
      `SELECT lane.id FROM (${given}) AS given LEFT JOIN queue_lane lane USING (${columns}) ORDER BY place`,
      values,
    )
  let rows = await find()
  if (rows.some(({ id }) => id === null)) {
    await database.run(
      `INSERT INTO queue_lane (${columns}) SELECT ${columns} FROM (${given}) AS given ORDER BY place ON CONFLICT DO NOTHING`,
      values,
    )
    rows = await find()
  }
  return rows.map(({ id }) => Number(id))
}

/** What is run in the end: a name for the worker to look for on its path, or a file. */
export function programOf(order: QueueOrder): string {
  const { command, workingDirectory } = (order.attempt ?? order) as QueueOrder
  const [program = ''] = command
  return program.includes('/') ? resolve(workingDirectory, program) : program
}

export function laneKey({ order, user }: Laned): string {
  const { cpus, memoryBytes, gpus } = claimOf(order.requirements)
  const { tool, image, labels } = order
  const room = [cpus, memoryBytes, gpus, ...labels.toSorted()]
  return JSON.stringify([user, tool, programOf(order), image, ...room])
}
