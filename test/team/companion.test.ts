import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { Database } from '../../src/store/postgres/connection.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox, type Sandbox } from '../program.ts'
import { teamOf } from './recorded-team.ts'

/** The processes that send this ledger. */
const sendersOf = (ledger: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
        return words.includes('sync') && words.includes(ledger)
      } catch {
        return false
      }
    })
    .map(Number)

const aMinute = { timeout: 60_000 }

describe
  .skipIf(whyNoPostgres() !== undefined)
  .concurrent('what sends a ledger beside those who write it', () => {
    let postgres: Postgres
    let address: string
    beforeAll(async () => {
      postgres = await startPostgres('fsync=off')
      address = await teamOf(postgres, 'companions', [])
    })
    afterAll(() => postgres.stop())

    const status = async (box: Sandbox): Promise<{ sender: unknown }> =>
      JSON.parse((await box.jobmeter(['team', 'status', '--format', 'json'])).stdout) as {
        sender: unknown
      }

    it('ends soon after its worker was killed, and has sent what the worker left', async ({
      expect,
    }) => {
      using box = sandbox()
      await box.jobmeter(['team', 'join', address])
      const options = ['--db', address, '--ledger', box.db, '--lease', '4s']
      const worker = box.start(['worker', '--cpus', '1', ...options])
      await box.jobmeter(['submit', '--db', address, '--name', 'left', '--wait', '--', 'true'])
      await expect.poll(() => sendersOf(box.db).length, aMinute).toBe(1)
      const [pid] = sendersOf(box.db)
      await expect
        .poll(async () => (await status(box)).sender, aMinute)
        .toEqual({ pid, stays_for: 'whoever started it still runs' })
      worker.signal('SIGKILL')
      await worker.ended
      await expect.poll(() => sendersOf(box.db), aMinute).toEqual([])
      expect(await status(box)).toMatchObject({ sender: null, waiting_records: 0 })
      const team = new Database({ connectionString: address })
      const sent = await team.rows("SELECT status FROM attempt WHERE job_name = 'left'")
      await team.close()
      expect(sent).toEqual([{ status: 'success' }])
    }, 150_000)

    it('sends a ledger to two teams, and tells of each what it has', async ({ expect }) => {
      using box = sandbox()
      const other = await teamOf(postgres, 'other', [])
      await box.jobmeter(['team', 'join', address])
      await box.run(['--name', 'of both', '--', 'true'])
      const inOther = { env: { JOBMETER_TEAM: other } }
      const statusOf = async (options: typeof inOther | object): Promise<unknown> =>
        JSON.parse((await box.jobmeter(['team', 'status', '--format', 'json'], options)).stdout)
      expect(await box.jobmeter(['sync'], inOther)).toMatchObject({
        stdout: expect.stringContaining('sent 1 record'),
      })
      expect(await statusOf({})).toMatchObject({ address, waiting_records: 1, last_success: null })
      expect(await statusOf(inOther)).toMatchObject({ address: other, waiting_records: 0 })
      const watching = box.start(['sync', '--watch'])
      try {
        const sender = { pid: watching.pid, stays_for: expect.any(String) }
        await expect.poll(() => statusOf({}), aMinute).toMatchObject({ waiting_records: 0, sender })
        // It keeps nobody from sending to the other, and is not taken for one that does.
        const worker = box.start(['worker', '--cpus', '1', '--db', other, '--ledger', box.db])
        const submitted = ['submit', '--db', other, '--name', 'queued', '--wait', '--', 'true']
        expect(await box.jobmeter(submitted)).toMatchObject({ code: 0 })
        const team = new Database({ connectionString: other })
        const sent = "SELECT status FROM attempt WHERE job_name = 'queued'"
        await expect.poll(() => team.rows(sent), aMinute).toEqual([{ status: 'success' }])
        await team.close()
        const beside = sendersOf(box.db)
          .filter((pid) => pid !== watching.pid)
          .map((pid) => ({ pid, stays_for: expect.any(String) }))
        expect(beside).toHaveLength(1)
        await expect
          .poll(() => statusOf(inOther), aMinute)
          .toMatchObject({ waiting_records: 0, sender: beside[0] })
        expect(await statusOf({})).toMatchObject({ sender })
        const second = box.start(['sync', '--watch', '--until-idle', '1s'])
        expect(await second.ended).toMatchObject({
          stdout: `another process sends ${box.db} to ${address} already\n`,
        })
        worker.signal('SIGTERM')
        await worker.ended
      } finally {
        watching.signal('SIGTERM')
        await watching.ended
      }
    }, 200_000)

    it('ends soon when the database is away and nothing waits, and says so where something does', async ({
      expect,
    }) => {
      using box = sandbox()
      const own = await startPostgres('fsync=off')
      try {
        await box.jobmeter(['team', 'join', await teamOf(own, 'away', [])])
        const spec = 'name: short\njobs:\n  - { name: a, command: "true" }\n'
        writeFileSync(box.path('short.yaml'), spec)
        await box.jobmeter(['run', 'short.yaml', '--quiet'])
        await expect
          .poll(async () => (await status(box)).sender, aMinute)
          .toMatchObject({ stays_for: 'something new may come in the next seconds' })
      } finally {
        await own.stop()
      }
      await expect.poll(() => sendersOf(box.db), aMinute).toEqual([])
      await box.jobmeter(['run', 'short.yaml', '--quiet'])
      await expect
        .poll(async () => (await status(box)).sender, aMinute)
        .toMatchObject({
          stays_for:
            'something waits to be sent, and the team does not take it; it tries for 15 minutes',
        })
      // A second one, which a workflow starts at its end, ends as soon as it has seen the first.
      await expect.poll(() => sendersOf(box.db), aMinute).toHaveLength(1)
      for (const pid of sendersOf(box.db)) process.kill(pid, 'SIGTERM')
      await expect.poll(() => sendersOf(box.db), aMinute).toEqual([])
    }, 200_000)
  })
