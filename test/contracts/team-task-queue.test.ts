import { dirname } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { TaskPipeline } from '../../src/monitor/pipeline/task-pipeline.ts'
import { TeamTaskQueue } from '../../src/monitor/pipeline/team-task-queue.ts'
import { findJobs } from '../../src/store/postgres/queue/jobs.ts'
import { TeamQueue } from '../../src/store/postgres/queue/team-queue.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
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
    const numbers = Array.from({ length: 16 }, (_, index) => index)
    databases = await Promise.all(numbers.map((index) => teamDatabase(postgres, `tasks${index}`)))
  })
  afterEach(async () => {
    for (const worker of workers) worker.kill('SIGTERM')
    await Promise.all(workers.splice(0).map((worker) => worker.hasEnded))
  })
  afterAll(() => postgres.stop())

  it('are found by their tag, and looked at as often as the pipeline says', async () => {
    const address = databases.pop() ?? ''
    const queue = new TeamTaskQueue(address)
    const tools = { sh: ['true'] }
    await using pipeline = new TaskPipeline({ tools, queue, intervalSeconds: 0.25 })
    const taskId = await pipeline.submitTask('sh')
    const team = await TeamQueue.open(address)
    expect(await findJobs(team.database, [taskId])).toMatchObject([
      { order: { tags: [`queue:${taskId}`], intervalSeconds: 0.25 } },
    ])
    await team.close()
  })

  it('are refused what only this machine can do for them', () => {
    const queue = new TeamTaskQueue('postgres://127.0.0.1:1/none')
    expect(() => new TaskPipeline({ queue, parallel: 2 })).toThrow(/^parallel is of tasks that run/)
    expect(() => new TaskPipeline({ queue, outputDir: '.' })).toThrow(/^outputDir is of tasks/)
  })

  it('are submitted once the server is there again, and what goes wrong until then is told', async () => {
    const queue = new TeamTaskQueue(databases.pop() ?? '')
    const away = { name: 'MonitorError', code: 'no-queue' }
    const tools = { sh: ['true'] }
    const pipeline = new TaskPipeline({ tools, queue })
    await postgres.kill()
    await expect(pipeline.submitTask('sh')).rejects.toMatchObject(away)
    await postgres.restart()
    const taskId = await pipeline.submitTask('sh')
    expect(await pipeline.getTaskStatus(taskId)).toBe('pending')
    const never = new TeamTaskQueue(postgres.address('tasks0'))
    await postgres.kill()
    await expect(never.status(taskId)).rejects.toMatchObject(away)
    // There is nothing that it could cancel.
    await never.close()
    await expect(pipeline.close()).rejects.toMatchObject(away)
    await postgres.restart()
  }, 60_000)

  taskQueueContract('the queue of a team', (ledger, parallel) => {
    const address = databases.pop() ?? ''
    workers.push(startWorker(address, dirname(ledger), '--cpus', String(parallel)))
    return new TeamTaskQueue(address)
  })
})
