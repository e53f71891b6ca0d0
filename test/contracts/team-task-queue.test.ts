import { dirname } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { TeamTaskQueue } from '../../src/monitor/pipeline/team-task-queue.ts'
import { Database } from '../../src/store/postgres/connection.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { newId, submission } from '../queue/some-submission.ts'
import { teamDatabase } from '../queue/team.ts'
import { startWorker } from '../queue/worker.ts'
import { taskQueueContract } from './task-queue.ts'

/** Real workers, each with as many CPUs as tasks may run at once. */
describe.skipIf(whyNoPostgres() !== undefined)('tasks elsewhere', () => {
  let postgres: Postgres
  let databases: string[] = []
  const workers: ReturnType<typeof startWorker>[] = []
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
    const numbers = Array.from({ length: 12 }, (_, index) => index)
    databases = await Promise.all(numbers.map((index) => teamDatabase(postgres, `tasks${index}`)))
  })
  afterEach(async () => {
    for (const worker of workers) worker.kill('SIGTERM')
    await Promise.all(workers.splice(0).map((worker) => worker.hasEnded))
  })
  afterAll(() => postgres.stop())
  it('have the tag by which all attempts at them are found', async () => {
    const address = await teamDatabase(postgres, 'tagged')
    const queue = new TeamTaskQueue(address)
    const taskId = newId()
    const { order } = submission()
    await queue.submit([{ ...order, environment: {}, taskId, after: null }])
    const database = new Database({ connectionString: address })
    const [row] = await database.rows('SELECT definition FROM queue_job')
    await database.close()
    await queue.close()
    expect(JSON.parse(String(row?.['definition']))).toMatchObject({ tags: [`queue:${taskId}`] })
  })
  taskQueueContract('the queue of a team', (ledger, parallel) => {
    const address = databases.pop() ?? ''
    workers.push(startWorker(address, dirname(ledger), '--cpus', String(parallel)))
    return new TeamTaskQueue(address)
  })
})
