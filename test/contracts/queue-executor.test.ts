import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ourselves } from '../../src/record/owner.ts'
import { TeamQueue } from '../../src/store/postgres/queue/team-queue.ts'
import { realSystem } from '../../src/system/real.ts'
import { QueueExecutor } from '../../src/workflow/executors/queue/queue-executor.ts'
import type { AttemptResult } from '../../src/workflow/run/executor.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { teamDatabase } from '../queue/team.ts'
import { startWorker } from '../queue/worker.ts'
import { until } from '../workflow/flow.ts'
import { executorContract } from './executor.ts'
import { shellOrder } from './orders.ts'

describe.skipIf(whyNoPostgres() !== undefined)('attempts elsewhere', () => {
  const system = realSystem({ ownsProcess: false })
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-worker-'))
  let postgres: Postgres
  let worker: ReturnType<typeof startWorker>
  let first: QueueExecutor
  let second: QueueExecutor
  let address: string
  const open = async (): Promise<QueueExecutor> =>
    new QueueExecutor(await TeamQueue.open(address), system.clock, {
      name: { id: 'a queue', address },
      user: system.host.user,
      priority: 0,
      labels: [],
      patience: { afterSeconds: 0.1, giveUpSeconds: 60 },
    })
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
    address = await teamDatabase(postgres, 'executor')
    worker = startWorker(address, directory, '--cpus', '8')
    first = await open()
    second = await open()
  })
  afterAll(async () => {
    second.close()
    worker.kill('SIGTERM')
    await worker.hasEnded
    await postgres.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  it('ends an attempt that the database refuses, and runs those that were ordered with it', async () => {
    const executor = await open()
    const ends = new Map<string, AttemptResult>()
    const ignored = (): void => {}
    executor.tellTo({
      accepted: ignored,
      started: ignored,
      sampled: ignored,
      devicesSampled: ignored,
      gone: ignored,
      unknown: ignored,
      note: ignored,
      ended: (taskId, result) => void ends.set(taskId, result),
    })
    // Longer than what PostgreSQL can put into an index.
    const program = randomBytes(20_000).toString('hex')
    const [good, bad] = ['a', 'b'].map((letter) => letter.repeat(32)) as [string, string]
    executor.start(shellOrder(good, 'exit 5', { workingDirectory: directory }))
    executor.start(shellOrder(bad, '', { workingDirectory: directory, command: [program] }))
    await until(() => ends.size === 2)
    executor.close()
    expect(ends.get(good)?.outcome).toMatchObject({ status: 'failed', exitCode: 5 })
    expect(ends.get(bad)?.outcome).toMatchObject({
      status: 'error',
      reason: expect.stringContaining('the queue refuses it'),
    })
  }, 60_000)

  executorContract('queue', () => ({ first, second, owner: ourselves(system) }))
})
