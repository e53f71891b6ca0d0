import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, whyNoPostgres, type Postgres } from '../../../../test/postgres.ts'
import { submission } from '../../../../test/queue/some-submission.ts'
import { teamDatabase } from '../../../../test/queue/team.ts'
import { JobWaiter } from './job-waiter.ts'
import { TeamQueue } from './team-queue.ts'

describe.skipIf(whyNoPostgres() !== undefined)('who waits for a job', () => {
  let postgres: Postgres
  let root: TeamQueue
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
    root = await TeamQueue.open(await teamDatabase(postgres, 'waits'))
    await root.database.run(`
      CREATE ROLE ada LOGIN IN ROLE jobmeter_writer;
      CREATE ROLE bob LOGIN IN ROLE jobmeter_reader;
      INSERT INTO viewer (role, "user") VALUES ('bob', 'ada')`)
  }, 60_000)
  afterAll(async () => {
    await root.close()
    await postgres.stop()
  })

  /** A clock that goes so much faster that looking after lost workers is due each time. */
  const fast = (notes: string[]) => {
    let now = 0
    return {
      clock: {
        monotonicSeconds: () => (now += 10),
        after: (_: number, callback: () => void) => {
          const timer = setTimeout(callback, 10)
          return () => clearTimeout(timer)
        },
      },
      note: (message: string) => void notes.push(message),
    }
  }
  const waiting = async (user: string, notes: string[] = []) => {
    const job = submission()
    await root.submit([job])
    const queue = await TeamQueue.open(postgres.address('waits', user))
    const waiter = new JobWaiter(queue, fast(notes))
    const close = async (): Promise<void> => {
      waiter.close()
      await queue.close()
    }
    return { job, over: waiter.wait(job.id), close }
  }

  it('may be somebody who only looks', async () => {
    const notes: string[] = []
    const { job, over, close } = await waiting('bob', notes)
    await root.cancel(job.id)
    await over
    await close()
    expect(notes).toEqual([])
  })

  it('is told once that the server does not answer, and goes on', async () => {
    const notes: string[] = []
    const { job, over, close } = await waiting('ada', notes)
    process.kill(postgres.pid, 'SIGKILL')
    await expect.poll(() => notes.length, { timeout: 30_000 }).toBe(1)
    expect(notes[0]).toContain('asks again until it is answered: postgres://ada@')
    await postgres.restart()
    await expect.poll(() => notes, { timeout: 30_000 }).toContain('the queue answers again')
    await root.cancel(job.id)
    await over
    await close()
  }, 60_000)

  it('hears that it has lost the right to know', async () => {
    const { over, close } = await waiting('ada')
    const why = over.catch((error: unknown) => error)
    await root.database.run('REVOKE jobmeter_writer FROM ada')
    // A table that one may not read, or, on a new connection, one that is nowhere to be seen.
    expect(await why).toMatchObject({ code: expect.stringMatching(/^42(501|P01)$/) })
    await close()
  })
})
