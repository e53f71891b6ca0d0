import type { PoolClient } from 'pg'
import { PgBoss } from 'pg-boss'
import type { Database } from '../connection.ts'
import { bossSchema } from './boss-version.ts'

/** One more claim of a job always has a higher number than those before it; we say when there is none any more. */
const noLimit = 1_000_000

/**
 * Opens pg-boss on our connections. Neither its leases nor its clean-up run: they end an active job after a day at the
 * latest, and know nothing of workers. Its tables are made and migrated with ours (`migrate.ts`).
 */
export async function openBoss(database: Database): Promise<PgBoss> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.ask(text, values) },
    schema: bossSchema,
    migrate: false,
    createSchema: false,
    supervise: false,
    schedule: false,
  })
  // What goes wrong is told to whoever asked for it.
  boss.on('error', () => {})
  return boss.start()
}

/** pg-boss as a part of an open transaction. */
export const within = (client: PoolClient) => ({
  db: { executeSql: (text: string, values?: unknown[]) => client.query(text, values) },
})

export const laneName = (id: number): string => `lane-${id}`

/** As `createQueue` of pg-boss does for one. */
export async function makeLaneQueues(database: Database, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const options = { policy: 'standard', retryLimit: noLimit, retryDelay: 0 }
  await database.rows(
    `SELECT ${bossSchema}.create_queue('lane-' || id, ?::jsonb) FROM unnest(?::bigint[]) AS id ORDER BY id`,
    [JSON.stringify(options), ids],
  )
}
