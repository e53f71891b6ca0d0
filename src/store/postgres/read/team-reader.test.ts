import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { readerContract } from '../../../../test/contracts/reader.ts'
import { fillTeam } from '../../../../test/fill-team.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../../../../test/postgres.ts'
import { openSqliteLedger } from '../../ledger/open.ts'
import { Database } from '../connection.ts'
import { migrate } from '../migrate.ts'
import { openTeamReader } from './team-reader.ts'

/** Sorts and folds letters as people do, and not byte by byte as SQLite does: answers must be the same. */
const germanWords = "TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'de-DE'"

describe.skipIf(whyNoPostgres() !== undefined)('a team ledger', () => {
  let postgres: Postgres
  let made = 0
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
  })
  afterAll(() => postgres.stop())

  readerContract('in PostgreSQL', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'jobmeter-'))
    const path = join(directory, 'ledger.db')
    const address = await postgres.database(`reader_${(made += 1)}`, germanWords)
    const database = new Database({ connectionString: address })
    await migrate(database)
    const ledger = openSqliteLedger(path)
    const reader = await openTeamReader(address)
    return {
      ledger,
      reader,
      settle: () => fillTeam(path, database),
      async dispose() {
        ledger.close()
        await database.close()
        await reader.close().catch(() => {})
        rmSync(directory, { recursive: true })
      },
    }
  })
})
