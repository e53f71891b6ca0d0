import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, whyNoPostgres, type Postgres } from '../../../test/postgres.ts'
import { Database } from './connection.ts'
import { migrate, steps, versionOf } from './migrate.ts'

describe.skipIf(whyNoPostgres() !== undefined)('a team ledger', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
  })
  afterAll(async () => {
    await postgres.stop()
  })

  it('is asked in the words of SQLite: ? stands for a value, but not in quotes', async () => {
    const database = new Database({ connectionString: await postgres.database('words') })
    const sql = `SELECT ?::integer AS one, 'a?''?' AS quoted, ?::text AS "c?"`
    await expect(database.rows(sql, [1, 'two'])).resolves.toEqual([
      { one: 1, quoted: "a?'?", 'c?': 'two' },
    ])
    await database.close()
  })

  it('is made once, by however many at once', async () => {
    const connectionString = await postgres.database('many')
    const first = new Database({ connectionString })
    const databases = [first, ...[2, 3].map(() => new Database({ connectionString }))]
    const before = await Promise.all(databases.map(migrate))
    expect(before.toSorted((one, other) => one - other)).toEqual([0, steps.length, steps.length])
    await expect(versionOf(first)).resolves.toBe(steps.length)
    await Promise.all(databases.map((database) => database.close()))
  })
})
