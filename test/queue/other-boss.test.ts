import { getRollbackPlans } from 'pg-boss'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Database } from '../../src/store/postgres/connection.ts'
import { bossSchema, neededBossVersion } from '../../src/store/postgres/queue/boss-version.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox } from '../program.ts'
import { teamDatabase } from './team.ts'

describe.skipIf(whyNoPostgres() !== undefined)('a queue with tables of another pg-boss', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
  }, 60_000)
  afterAll(() => postgres.stop())

  it('is named as such by all commands, and upgraded by team init', async () => {
    using box = sandbox()
    const address = await teamDatabase(postgres, 'older')
    const database = new Database({ connectionString: address })
    const needed = neededBossVersion()
    const ask = (...args: readonly string[]) =>
      box.jobmeter(args, { env: { JOBMETER_TEAM: address } })
    await ask('team', 'join', address)
    await database.run(getRollbackPlans(bossSchema, needed))
    const older = `the tables of the queue are of version ${needed - 1} of pg-boss, and this jobmeter needs ${needed}`
    for (const command of [['queue', 'status'], ['worker'], ['submit', '--', 'true']]) {
      const refused = await ask(...command)
      expect(refused, command.join(' ')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(older),
      })
      expect(refused.stderr).toContain('jobmeter team init')
    }
    const status = await ask('team', 'status', '--format', 'json')
    expect(status).toMatchObject({ code: 1, stderr: expect.stringContaining(older) })
    expect(JSON.parse(status.stdout)).toMatchObject({ team: { bytes: expect.any(Number) } })
    expect(await ask('team', 'init', address)).toMatchObject({
      code: 0,
      stdout: `The tables of its queue went from version ${needed - 1} of pg-boss to ${needed}.\n`,
    })
    expect(await ask('queue', 'status')).toMatchObject({ code: 0 })
    expect(await ask('team', 'status')).toMatchObject({ code: 0 })
    await database.run(`UPDATE ${bossSchema}.version SET version = ${needed + 1}`)
    await database.close()
    const newer = `version ${needed + 1} of pg-boss; this jobmeter knows up to ${needed}. Use a newer jobmeter`
    for (const command of [
      ['queue', 'status'],
      ['team', 'init', address],
    ])
      expect(await ask(...command)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(newer),
      })
  }, 120_000)
})
