import type { PoolClient } from 'pg'
import { PgBoss } from 'pg-boss'
import type { Database, Statements } from '../connection.ts'
import { bossSchema } from './boss-version.ts'

/** One more claim of a job always has a higher number than those before it; we say when there is none any more. */
export const noLimit = 1_000_000

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

/** An open transaction in which pg-boss takes part. */
export interface BossTransaction {
  readonly client: PoolClient
  readonly statements: Statements
  readonly boss: PgBoss
}

/** pg-boss as a part of an open transaction. */
export const within = (client: PoolClient) => ({
  db: { executeSql: (text: string, values?: unknown[]) => client.query(text, values) },
})

export const laneName = (id: number): string => `lane-${id}`
