import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, whyNoPostgres, type Postgres } from '../../../test/postgres.ts'
import { Database } from './connection.ts'
import { migrate } from './migrate.ts'

describe.skipIf(whyNoPostgres() !== undefined)('the index of words', () => {
  let postgres: Postgres
  let team: Database
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
    team = new Database({ connectionString: await postgres.database('words') })
    await migrate(team)
  })
  afterAll(async () => {
    await team.close()
    await postgres.stop()
  })

  const daySeconds = 86_400
  const indexed = async (): Promise<unknown[]> => {
    const sql = `SELECT relname FROM pg_class WHERE relname LIKE 'attempt%words' ORDER BY relname`
    return (await team.rows(sql)).map((row) => row['relname'])
  }

  /** Of tables that are empty, all would be read: whether it could be used is asked. */
  const planOfSearch = async (): Promise<string> => {
    const plan = await team.transaction(async (_, statements) => {
      await statements.run('SET LOCAL enable_seqscan = off')
      return statements.rows('EXPLAIN SELECT 1 FROM attempt WHERE job_command ILIKE ?', [
        '%needle%',
      ])
    })
    return JSON.stringify(plan)
  }

  /** Of the months that these moments are in, which have been made. */
  const made = async (moments: readonly number[]): Promise<string[]> => {
    await team.rows('SELECT make_months(?)', [moments])
    return moments.map((at) => {
      const month = new Date(at * 1000).toISOString().slice(0, 7).replace('-', '_')
      return `attempt_${month}_words`
    })
  }

  it('is made with each month', async () => {
    const [now = ''] = await made([Date.now() / 1000])
    expect(await indexed()).toContain(now)
    expect(await planOfSearch()).toContain(`Bitmap Index Scan on ${now}`)
  })

  it('is made of months that are over and have none, one at a time', async () => {
    const now = Date.now() / 1000
    const [oldest, before] = await made([now - 75 * daySeconds, now - 40 * daySeconds])
    for (const name of await indexed()) await team.run(`DROP INDEX ${String(name)}`)
    expect(await team.rows('SELECT index_words() AS n')).toEqual([{ n: 1 }])
    expect(await indexed()).toEqual([before])
    expect(await team.rows('SELECT index_words() AS n')).toEqual([{ n: 1 }])
    expect(await indexed()).toEqual([oldest, before])
    expect(await team.rows('SELECT index_words() AS n')).toEqual([{ n: 0 }])
    expect(await planOfSearch()).toContain(`Bitmap Index Scan on ${String(before)}`)
  })

  it('is left alone by who may only write to what is theirs', async () => {
    await team.run('CREATE ROLE node1 LOGIN IN ROLE jobmeter_writer')
    const node = new Database({ connectionString: postgres.address('words', 'node1') })
    await expect(node.rows('SELECT index_words() AS n')).resolves.toEqual([{ n: 0 }])
    await node.close()
  })
})
