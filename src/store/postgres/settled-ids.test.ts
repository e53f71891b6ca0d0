import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, whyNoPostgres, type Postgres } from '../../../test/postgres.ts'
import { Database, type Statements } from './connection.ts'
import { migrate } from './migrate.ts'
import { announceAttempts, settledAttemptId } from './settled-ids.ts'

describe.skipIf(whyNoPostgres() !== undefined)('ids of attempts', () => {
  let postgres: Postgres
  let team: Database
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
    team = new Database({ connectionString: await postgres.database('ids') })
    await migrate(team)
  })
  afterAll(async () => {
    await team.close()
    await postgres.stop()
  })

  const take = async (statements: Statements): Promise<number> => {
    const [row] = await statements.rows("SELECT nextval('attempt_number') AS id")
    return Number(row?.['id'])
  }

  /** A transaction that has taken an id, and ends when it is told to. */
  async function open(): Promise<{ readonly id: number; end(): Promise<void> }> {
    const told = Promise.withResolvers<void>()
    const taken = Promise.withResolvers<number>()
    const done = team.transaction(async (_, statements) => {
      await announceAttempts(statements)
      taken.resolve(await take(statements))
      await told.promise
    })
    done.catch(taken.reject)
    return {
      id: await taken.promise,
      end: () => {
        told.resolve()
        return done
      },
    }
  }

  it('are settled up to the first that may still come', async () => {
    expect(await settledAttemptId(team)).toBe(0)
    const first = await open()
    const second = await open()
    expect(await settledAttemptId(team)).toBe(first.id - 1)
    // The later one is there, and the earlier one may still come.
    await second.end()
    expect(await settledAttemptId(team)).toBe(first.id - 1)
    await first.end()
    expect(await settledAttemptId(team)).toBe(second.id)
  })

  it('are settled again where whoever took them has failed', async () => {
    const before = await settledAttemptId(team)
    const failed = team.transaction(async (_, statements) => {
      await announceAttempts(statements)
      await take(statements)
      throw new Error('it fails')
    })
    await expect(failed).rejects.toThrow('it fails')
    expect(await settledAttemptId(team)).toBe(before + 1)
  })

  it('are those of this database alone', async () => {
    const other = new Database({ connectionString: await postgres.database('others') })
    await migrate(other)
    await other.transaction(async (_, statements) => {
      await announceAttempts(statements)
      await take(team)
      const [row] = await team.rows('SELECT last_value FROM attempt_number')
      expect(await settledAttemptId(team)).toBe(Number(row?.['last_value']))
    })
    await other.close()
  })

  it('may be more than half a key of a lock has room for', async () => {
    await team.rows("SELECT setval('attempt_number', 2147483647)")
    const first = await open()
    const second = await open()
    expect(first.id).toBe(2 ** 31)
    expect(await settledAttemptId(team)).toBe(first.id - 1)
    await first.end()
    expect(await settledAttemptId(team)).toBe(second.id - 1)
    await second.end()
    expect(await settledAttemptId(team)).toBe(second.id)
  })
})
