import { existsSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { userInfo } from 'node:os'
import { pipeline } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Database } from '../../src/store/postgres/connection.ts'
import { findJobs } from '../../src/store/postgres/queue/jobs.ts'
import { TeamQueue } from '../../src/store/postgres/queue/team-queue.ts'
import { freePort } from '../free-port.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox } from '../program.ts'
import { submission } from './some-submission.ts'
import { teamDatabase } from './team.ts'
import { startWorker } from './worker.ts'

describe.skipIf(whyNoPostgres() !== undefined)('a worker', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off', 'shared_preload_libraries=pg_stat_statements')
  }, 60_000)
  afterAll(() => postgres.stop())

  it('waits for a database that is not there yet', async () => {
    using box = sandbox()
    const address = await teamDatabase(postgres, 'later')
    const port = await freePort()
    const env = { JOBMETER_TEAM: address.replace(`:${postgres.port}/`, `:${port}/`) }
    const waiting = box.start(['worker'], { env })
    await waiting.saw('waits for it')
    const server = createServer((socket) => {
      const upstream = connect(postgres.port, '127.0.0.1')
      pipeline(socket, upstream, socket, () => {})
    }).listen(port, '127.0.0.1')
    await waiting.saw('takes jobs from')
    waiting.signal('SIGTERM')
    expect(await waiting.ended).toMatchObject({ code: 0 })
    server.close()
  }, 60_000)

  it('asks rarely while it has nothing to do, and at once when there is something', async () => {
    using box = sandbox()
    const address = await teamDatabase(postgres, 'idle')
    const database = new Database({ connectionString: address })
    await database.run('CREATE EXTENSION pg_stat_statements')
    const env = { JOBMETER_TEAM: address }
    const worker = startWorker(address, box.directory, '--cpus', '1', '--lease', '12s')
    try {
      const calls = async (words: string): Promise<number> => {
        const sql =
          'SELECT coalesce(sum(calls), 0) AS calls FROM pg_stat_statements WHERE query LIKE ?'
        return Number((await database.rows(sql, [`%${words}%`]))[0]?.['calls'])
      }
      const renewals = () => calls('UPDATE queue_worker SET lease_until')
      const questions = () => calls('FROM queue_worker worker, queue_state')
      const run = () => box.jobmeter(['submit', '--wait', '--', 'true'], { env })
      expect(await run()).toMatchObject({ code: 0 })
      const before = { renewals: await renewals(), questions: await questions() }
      // It renews its lease every two seconds.
      await expect.poll(renewals, { timeout: 60_000 }).toBeGreaterThanOrEqual(before.renewals + 4)
      expect((await questions()) - before.questions).toBeLessThanOrEqual(4)
      // Whoever hears nothing asks each second: nothing waits for long.
      const server = new Database({ connectionString: postgres.address('postgres') })
      await server.run('ALTER DATABASE idle ALLOW_CONNECTIONS false')
      const deaf = await questions()
      await database.rows(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'idle' AND query LIKE 'LISTEN%'",
      )
      const since = await renewals()
      await expect.poll(questions, { timeout: 60_000 }).toBeGreaterThanOrEqual(deaf + 8)
      expect((await renewals()) - since).toBeLessThanOrEqual(6)
      await server.run('ALTER DATABASE idle ALLOW_CONNECTIONS true')
      await server.close()
      expect(await run()).toMatchObject({ code: 0 })
    } finally {
      worker.kill('SIGTERM')
      await worker.hasEnded
      await database.close()
    }
  }, 150_000)

  it('does not ask for each of many jobs that are for others', async () => {
    using box = sandbox()
    const address = await teamDatabase(postgres, 'others')
    const queue = await TeamQueue.open(address)
    await queue.database.run('CREATE EXTENSION pg_stat_statements')
    const worker = startWorker(address, box.directory, '--cpus', '1', '--lease', '60s')
    try {
      const questions = async (): Promise<number> => {
        const sql = `SELECT coalesce(sum(calls), 0) AS calls FROM pg_stat_statements
          WHERE query LIKE '%FROM queue_worker worker, queue_state%'`
        return Number((await queue.database.rows(sql))[0]?.['calls'])
      }
      await expect.poll(questions, { timeout: 60_000 }).toBeGreaterThan(0)
      const before = await questions()
      const user = userInfo().username
      const { order } = submission()
      for (let job = 0; job < 200; job += 1)
        await queue.submit([submission({ user, order: { ...order, labels: ['other'] } })])
      expect((await questions()) - before).toBeLessThan(120)
      // What it may take waits for it no longer than those before have it wait.
      const own = submission({ user })
      await queue.submit([own])
      await expect
        .poll(async () => (await findJobs(queue.database, [own.id]))[0]?.state, { timeout: 60_000 })
        .toBe('success')
    } finally {
      worker.kill('SIGTERM')
      await worker.hasEnded
      await queue.close()
    }
  }, 150_000)

  it('has all of its machine again after it lost its lease in the middle of a job', async () => {
    using box = sandbox()
    const address = await teamDatabase(postgres, 'lost')
    const database = new Database({ connectionString: address })
    const env = { JOBMETER_TEAM: address }
    const worker = startWorker(address, box.directory, '--cpus', '2')
    const begun = box.path('begun')
    const script = `test -e ${begun} || { echo > ${begun}; sleep 300; }`
    const job = ['--', 'sh', '-c', script]
    const { stdout } = await box.jobmeter(['submit', '--cpus', '2', ...job], { env })
    await expect.poll(() => existsSync(begun), { timeout: 60_000 }).toBe(true)
    await database.run("UPDATE queue_worker SET state = 'lost'")
    expect(await box.jobmeter(['wait', stdout.trim()], { env })).toMatchObject({ code: 0 })
    const workers = await database.rows(
      'SELECT state, cpus::int AS cpus FROM queue_worker ORDER BY joined_at',
    )
    await database.close()
    worker.kill('SIGTERM')
    await worker.hasEnded
    expect(workers).toEqual([
      { state: 'lost', cpus: 2 },
      { state: 'alive', cpus: 2 },
    ])
  }, 120_000)
})
