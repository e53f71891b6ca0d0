import { userInfo } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { QueueSubmission } from '../../src/model/queue.ts'
import { queueStatus } from '../../src/store/postgres/queue/status.ts'
import { TeamQueue } from '../../src/store/postgres/queue/team-queue.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox } from '../program.ts'
import { submission } from './some-submission.ts'
import { teamDatabase } from './team.ts'
import { startWorker } from './worker.ts'

const job = (command: readonly string[], cpus = 1): QueueSubmission => {
  const made = submission({ user: userInfo().username }, cpus)
  return { ...made, order: { ...made.order, command } }
}

describe.skipIf(whyNoPostgres() !== undefined)('a worker of short jobs', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
  }, 60_000)
  afterAll(() => postgres.stop())

  it('goes on with them while a larger job waits, and then makes room for it', async () => {
    using box = sandbox()
    const address = await teamDatabase(postgres, 'large')
    const queue = await TeamQueue.open(address)
    const worker = startWorker(address, box.directory, '--cpus', '3')
    const long = job(['sleep', '300'])
    await queue.submit([long])
    const ended = async () => (await queueStatus(queue.database)).jobs.success ?? 0
    const users = async () => (await queueStatus(queue.database)).users
    await expect.poll(users, { timeout: 60_000 }).toMatchObject([{ running: 1 }])
    await queue.submit(Array.from({ length: 2000 }, () => job(['sleep', '0.02'])))
    await expect.poll(ended, { timeout: 60_000 }).toBeGreaterThan(50)
    const large = job(['echo', 'large'], 3)
    await queue.submit([large])
    const before = await ended()
    const laneOfLarge = async () => {
      const [row] = await queue.database.rows(
        'SELECT overtaken, (reserved_by IS NOT NULL)::int AS reserved FROM queue_lane WHERE cpus = 3',
      )
      return row ?? {}
    }
    const most = { running: 0, cores: 0 }
    const deadline = performance.now() + 60_000
    while ((await laneOfLarge())['reserved'] !== 1 && performance.now() < deadline) {
      const [user] = await users()
      most.running = Math.max(most.running, user?.running ?? 0)
      most.cores = Math.max(most.cores, user?.cores ?? 0)
      await sleep(20)
    }
    expect(await laneOfLarge()).toEqual({ overtaken: 32, reserved: 1 })
    await expect.poll(ended, { timeout: 60_000 }).toBeGreaterThanOrEqual(before + 32)
    expect(most).toEqual({ running: 3, cores: 3 })
    await queue.cancel(long.id)
    const stateOfLarge = async () =>
      (await queue.database.rows('SELECT state FROM queue_job WHERE id = ?::uuid', [large.id]))[0]
    await expect.poll(stateOfLarge, { timeout: 60_000 }).toEqual({ state: 'success' })
    worker.kill('SIGTERM')
    await worker.hasEnded
    await queue.close()
  }, 240_000)
})
