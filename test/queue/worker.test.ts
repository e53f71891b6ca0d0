import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { userInfo } from 'node:os'
import { pipeline } from 'node:stream'
import { afterAll, beforeAll, describe, it, type ExpectStatic } from 'vitest'
import { openSqliteLedger } from '../../src/store/ledger/open.ts'
import { Database } from '../../src/store/postgres/connection.ts'
import { findJobs } from '../../src/store/postgres/queue/jobs.ts'
import { TeamQueue } from '../../src/store/postgres/queue/team-queue.ts'
import { freePort } from '../free-port.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox, type Sandbox } from '../program.ts'
import { guardOf } from './guard-of.ts'
import { startProxy } from './proxy.ts'
import { submission } from './some-submission.ts'
import { teamDatabase } from './team.ts'
import { startWorker } from './worker.ts'

/** Of this database alone: others of the same server are asked at the same time. */
const callsOf = `SELECT coalesce(sum(calls), 0) AS calls FROM pg_stat_statements
  WHERE query LIKE ? AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`

describe.skipIf(whyNoPostgres() !== undefined)('a worker', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off', 'shared_preload_libraries=pg_stat_statements')
  }, 60_000)
  afterAll(() => postgres.stop())

  it.concurrent('waits for a database that is not there yet', async ({ expect }) => {
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

  /** A worker whose job has ended while the database could not be reached; it has recorded that, and not told it. */
  async function withUntoldResult(box: Sandbox, name: string, expect: ExpectStatic) {
    const address = await teamDatabase(postgres, name)
    const proxy = await startProxy(postgres.port)
    const through = address.replace(`:${postgres.port}/`, `:${proxy.port}/`)
    const worker = startWorker(through, box.directory)
    const env = { JOBMETER_TEAM: address }
    const script = 'echo first; echo > begun; while [ ! -e go ]; do sleep 0.05; done; echo last'
    const { stdout } = await box.jobmeter(['submit', '--', 'sh', '-c', script], { env })
    await expect.poll(() => existsSync(box.path('begun')), { timeout: 60_000 }).toBe(true)
    proxy.stall(600_000)
    writeFileSync(box.path('go'), '')
    // It may take half a minute, in which asking the program again and again would keep the machine busy.
    const recorded = (): string | undefined => {
      const ledger = openSqliteLedger(box.db)
      const [record] = ledger.jobs.find({})
      ledger.close()
      return record?.status
    }
    await expect.poll(recorded, { timeout: 60_000, interval: 100 }).toBe('success')
    const logs = box.path('queue-logs')
    const hasNoted = (): boolean => readdirSync(logs).some((file) => file.endsWith('.results'))
    await expect.poll(hasNoted, { timeout: 60_000 }).toBe(true)
    const id = stdout.trim()
    /** The result counts, with all that was printed, and the job was not run again. */
    const isTold = async (): Promise<void> => {
      expect(await box.jobmeter(['wait', '--timeout', '90s', id], { env })).toMatchObject({
        code: 0,
      })
      const shown = await box.jobmeter(['show', id, '--format', 'json'], { env })
      expect(JSON.parse(shown.stdout)).toMatchObject({
        queue: { state: 'success', attempts: [{ task_id: id, status: 'success' }] },
      })
      expect((await box.jobmeter(['logs', id], { env })).stdout).toBe('first\nlast\n')
      await expect.poll(() => readdirSync(logs), { timeout: 60_000 }).toEqual([])
    }
    return { address, proxy, worker, isTold }
  }

  it.concurrent('that is killed has its guard tell what it had recorded and could not tell', async ({
    expect,
  }) => {
    using box = sandbox()
    const { proxy, worker, isTold } = await withUntoldResult(box, 'guarded', expect)
    worker.kill('SIGKILL')
    await worker.hasEnded
    expect(worker.signalCode).toBe('SIGKILL')
    proxy.goOn()
    await isTold()
    proxy.close()
  }, 180_000)

  it.concurrent('tells what one before it on the same ledger had recorded and could not tell', async ({
    expect,
  }) => {
    using box = sandbox()
    const { address, proxy, worker, isTold } = await withUntoldResult(box, 'followed', expect)
    // One that is stopped starts no other guard.
    worker.kill('SIGSTOP')
    process.kill(guardOf(worker.pid ?? 0) ?? Number.NaN, 'SIGKILL')
    worker.kill('SIGKILL')
    await worker.hasEnded
    expect(worker.signalCode).toBe('SIGKILL')
    const next = startWorker(address, box.directory)
    await isTold()
    next.kill('SIGTERM')
    await next.hasEnded
    proxy.close()
  }, 180_000)

  it.concurrent('sweeps what the jobs of one that was killed had printed', async ({ expect }) => {
    using box = sandbox()
    const address = await teamDatabase(postgres, 'swept')
    const env = { JOBMETER_TEAM: address }
    const killed = startWorker(address, box.directory)
    const script = 'echo first; echo > begun; sleep 300'
    const job = ['--interruptions', '0', '--', 'sh', '-c', script]
    const { stdout } = await box.jobmeter(['submit', ...job], { env })
    const id = stdout.trim()
    const logs = () => readdirSync(box.path('queue-logs'))
    await expect.poll(() => logs().length, { timeout: 60_000 }).toBeGreaterThan(0)
    await expect.poll(() => existsSync(box.path('begun')), { timeout: 60_000 }).toBe(true)
    killed.kill('SIGSTOP')
    process.kill(guardOf(killed.pid ?? 0) ?? Number.NaN, 'SIGKILL')
    killed.kill('SIGKILL')
    await killed.hasEnded
    // What belongs to a queue that this one knows nothing of.
    const foreign = `${'a'.repeat(32)}.${'b'.repeat(32)}.out`
    writeFileSync(box.path(`queue-logs/${foreign}`), 'another')
    const next = startWorker(address, box.directory)
    await expect.poll(logs, { timeout: 60_000 }).toEqual([foreign])
    expect((await box.jobmeter(['logs', id], { env })).stdout).toBe('first\n')
    next.kill('SIGTERM')
    await next.hasEnded
  }, 180_000)

  it.concurrent('asks rarely while it has nothing to do, and at once when there is something', async ({
    expect,
  }) => {
    using box = sandbox()
    const address = await teamDatabase(postgres, 'idle')
    const database = new Database({ connectionString: address })
    await database.run('CREATE EXTENSION pg_stat_statements')
    const env = { JOBMETER_TEAM: address }
    const worker = startWorker(address, box.directory, '--cpus', '1', '--lease', '12s')
    try {
      const calls = async (words: string): Promise<number> =>
        Number((await database.rows(callsOf, [`%${words}%`]))[0]?.['calls'])
      const renewals = () => calls('UPDATE queue_worker SET lease_until')
      const questions = () => calls('AS cancels FROM queue_state')
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

  it.concurrent('has all of its machine again after it lost its lease in the middle of a job', async ({
    expect,
  }) => {
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

  it('does not ask for each of many jobs that are for others', async ({ expect }) => {
    using box = sandbox()
    const address = await teamDatabase(postgres, 'others')
    const queue = await TeamQueue.open(address)
    await queue.database.run('CREATE EXTENSION pg_stat_statements')
    const worker = startWorker(address, box.directory, '--cpus', '1', '--lease', '60s')
    try {
      const questions = async (): Promise<number> =>
        Number(
          (await queue.database.rows(callsOf, ['%AS cancels FROM queue_state%']))[0]?.['calls'],
        )
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
})
