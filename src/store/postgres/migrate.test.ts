import { createHash } from 'node:crypto'
import { getRollbackPlans } from 'pg-boss'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, whyNoPostgres, type Postgres } from '../../../test/postgres.ts'
import { submission } from '../../../test/queue/some-submission.ts'
import { Database } from './connection.ts'
import { bossSchema, bossTables, neededBossVersion } from './queue/boss-version.ts'
import { statesOf } from './queue/jobs.ts'
import { TeamQueue } from './queue/team-queue.ts'
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
    const ledgers = before.map(({ ledger }) => ledger)
    expect(ledgers.toSorted((one, other) => one - other)).toEqual([0, steps.length, steps.length])
    await expect(versionOf(first)).resolves.toBe(steps.length)
    await Promise.all(databases.map((database) => database.close()))
  })

  it('is brought to the version of pg-boss that is installed, by its own migration', async () => {
    const connectionString = await postgres.database('boss')
    const database = new Database({ connectionString })
    const needed = neededBossVersion()
    expect(await migrate(database)).toEqual({ ledger: 0, boss: 0 })
    expect(await migrate(database)).toEqual({ ledger: steps.length, boss: needed })
    await database.run(getRollbackPlans(bossSchema, needed))
    await expect(TeamQueue.open(connectionString)).rejects.toMatchObject({
      code: 'older',
      says: `the tables of the queue are of version ${needed - 1} of pg-boss, and this jobmeter needs ${needed}. An administrator upgrades them with \`jobmeter team init\``,
    })
    expect(await migrate(database)).toEqual({ ledger: steps.length, boss: needed - 1 })
    const queue = await TeamQueue.open(connectionString)
    const job = submission()
    await queue.submit([job])
    expect(await statesOf(database, [job.id])).toEqual(new Map([[job.id, 'queued']]))
    await queue.close()
    await database.run(`UPDATE ${bossSchema}.version SET version = ${needed + 1}`)
    await expect(TeamQueue.open(connectionString)).rejects.toMatchObject({
      code: 'newer',
      says: `the tables of the queue are of version ${needed + 1} of pg-boss; this jobmeter knows up to ${needed}. Use a newer jobmeter`,
    })
    await database.close()
  })

  it('is made by steps that do not change once they were released', () => {
    // Whoever changes one of them after a release adds a step instead. What pg-boss makes of its own is its own affair.
    const hashes = steps.map((step) =>
      createHash('sha256').update(step().replace(bossTables(), '')).digest('hex').slice(0, 16),
    )
    expect(hashes).toEqual([
      'ec66aa1ae7a8351c',
      'ebdbac6218fcbf59',
      '3c8e101f898d1ddc',
      '87a61cd73b1c21b6',
      '6b3a63836369eaa7',
      'e67eedd95998a35c',
      'f5556902a90913f9',
    ])
  })
})
