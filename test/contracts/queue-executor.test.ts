import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { ourselves } from '../../src/record/owner.ts'
import { TeamQueue } from '../../src/store/postgres/queue/team-queue.ts'
import { realSystem } from '../../src/system/real.ts'
import { QueueExecutor } from '../../src/workflow/executors/queue/queue-executor.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { teamDatabase } from '../queue/team.ts'
import { startWorker } from '../queue/worker.ts'
import { executorContract } from './executor.ts'

describe.skipIf(whyNoPostgres() !== undefined)('attempts elsewhere', () => {
  const system = realSystem({ ownsProcess: false })
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-worker-'))
  let postgres: Postgres
  let worker: ReturnType<typeof startWorker>
  let first: QueueExecutor
  let second: QueueExecutor
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
    const address = await teamDatabase(postgres, 'executor')
    worker = startWorker(address, directory, '--cpus', '8')
    const open = async (): Promise<QueueExecutor> =>
      new QueueExecutor(await TeamQueue.open(address), system.clock, {
        name: { id: 'a queue', address },
        user: system.host.user,
        priority: 0,
        labels: [],
        patience: { afterSeconds: 0.1, giveUpSeconds: 60 },
      })
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
  executorContract('queue', () => ({ first, second, owner: ourselves(system) }))
})
