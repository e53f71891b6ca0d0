import { Database } from '../../src/store/postgres/connection.ts'
import { migrate } from '../../src/store/postgres/migrate.ts'
import type { Postgres } from '../postgres.ts'

/** A database with all that a team has in it. */
export async function teamDatabase(postgres: Postgres, name: string): Promise<string> {
  const address = await postgres.database(name)
  const database = new Database({ connectionString: address })
  await migrate(database)
  await database.close()
  return address
}
