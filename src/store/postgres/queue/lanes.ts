import { resolve } from 'node:path'
import type { PgBoss } from 'pg-boss'
import { claimOf } from '../../../model/claim.ts'
import type { QueueOrder, QueueSubmission } from '../../../model/queue.ts'
import type { Database } from '../connection.ts'
import { makeLaneQueue } from './boss.ts'

/** The number of each lane, by its key. */
export type Lanes = ReadonlyMap<string, number>

type Laned = Pick<QueueSubmission, 'order' | 'user'>

/** A lane is never deleted. */
const lanesKnown = new WeakMap<PgBoss, Map<string, number>>()

/** The lanes of these jobs, by their keys. A lane that nobody uses in the end does no harm. */
export async function lanesOf(
  database: Database,
  boss: PgBoss,
  submissions: readonly Laned[],
): Promise<Lanes> {
  const known = lanesKnown.get(boss) ?? new Map<string, number>()
  lanesKnown.set(boss, known)
  for (const each of submissions) {
    const key = laneKey(each)
    if (known.has(key)) continue
    known.set(key, await findLane(database, boss, each))
  }
  return known
}

async function findLane(database: Database, boss: PgBoss, { order, user }: Laned): Promise<number> {
  const { cpus, memoryBytes, gpus } = claimOf(order.requirements)
  const values = [user, order.tool, programOf(order), order.image, cpus, memoryBytes, gpus]
  const labels = order.labels.toSorted()
  const columns = '"user", tool, program, image, cpus, memory_bytes, gpus, labels'
  const find = (): Promise<readonly { readonly id?: unknown }[]> =>
    database.rows(
      `SELECT id FROM queue_lane WHERE (${columns}) = (?, ?, ?, ?, ?, ?, ?, ?::text[])`,
      [...values, labels],
    )
  let [row] = await find()
  if (row === undefined) {
    await database.run(
      `INSERT INTO queue_lane (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      [...values, labels],
    )
    ;[row] = await find()
  }
  const id = Number(row?.id)
  await makeLaneQueue(boss, id)
  return id
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
