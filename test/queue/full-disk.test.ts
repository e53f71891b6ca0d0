import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox, type Sandbox } from '../program.ts'
import { teamDatabase } from './team.ts'
import { startWorker } from './worker.ts'

const megabyte = 2 ** 20

describe.skipIf(whyNoPostgres() !== undefined || process.getuid?.() !== 0)(
  'a worker whose disk is full',
  () => {
    let postgres: Postgres
    let box: Sandbox
    let disk: string
    let worker: ReturnType<typeof startWorker> | undefined
    beforeAll(async () => {
      postgres = await startPostgres('fsync=off')
    }, 60_000)
    afterAll(() => postgres.stop())
    beforeEach(() => {
      box = sandbox()
      disk = box.path('disk')
      mkdirSync(disk)
      const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m,mode=0700', 'none', disk])
      if (mounted.status !== 0) throw new Error(`mount: ${String(mounted.stderr)}`)
    })
    afterEach(async () => {
      worker?.kill('SIGTERM')
      await worker?.hasEnded
      spawnSync('umount', ['-l', disk])
      box[Symbol.dispose]()
    }, 60_000)

    it('takes no jobs, says why, and goes on when there is room', async () => {
      const address = await teamDatabase(postgres, 'full')
      const ask = (...args: readonly string[]) =>
        box.jobmeter(args, { env: { JOBMETER_TEAM: address } })
      const status = async () =>
        JSON.parse((await ask('queue', 'status', '--format', 'json')).stdout) as {
          workers: { trouble: string | null; state: string }[]
          stuck: { why: string }[]
        }
      const ballast = `${disk}/ballast`
      writeFileSync(ballast, Buffer.alloc(56 * megabyte))
      worker = startWorker(address, disk)
      const why = `less than 16.0 MB is free for what jobs print, in ${disk}/queue-logs`
      await expect
        .poll(async () => (await status()).workers, { timeout: 30_000 })
        .toMatchObject([{ state: 'alive', trouble: why }])
      const id = (await ask('submit', '--', 'sh', '-c', 'echo hello')).stdout.trim()
      expect((await status()).stuck).toMatchObject([{ why: expect.stringContaining(why) }])
      expect((await ask('queue', 'status')).stdout).toContain(`takes no jobs: ${why}`)
      expect(await ask('wait', id, '--timeout', '3s')).toMatchObject({ code: 75 })
      rmSync(ballast)
      expect(await ask('wait', id)).toMatchObject({ code: 0 })
      expect((await status()).workers).toMatchObject([{ trouble: null }])
      expect((await ask('logs', id)).stdout).toBe('hello\n')
    }, 120_000)
  },
)
