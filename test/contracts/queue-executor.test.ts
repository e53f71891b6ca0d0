import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ourselves } from '../../src/record/owner.ts'
import { TeamQueue } from '../../src/store/postgres/queue/team-queue.ts'
import { realSystem } from '../../src/system/real.ts'
import { QueueExecutor } from '../../src/workflow/executors/queue/queue-executor.ts'
import type { AttemptResult, ExecutorListener } from '../../src/workflow/run/executor.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { teamDatabase } from '../queue/team.ts'
import { startWorker } from '../queue/worker.ts'
import { until } from '../workflow/flow.ts'
import { executorContract } from './executor.ts'
import { shellOrder } from './orders.ts'

const ignored = (): void => {}
/** Hears nothing. */
const deaf: ExecutorListener = {
  accepted: ignored,
  started: ignored,
  sampled: ignored,
  devicesSampled: ignored,
  gone: ignored,
  unknown: ignored,
  note: ignored,
  trouble: ignored,
  ended: ignored,
}
const noteIn = (ends: Map<string, AttemptResult>) => (taskId: string, result: AttemptResult) =>
  void ends.set(taskId, result)

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
    executor.tellTo({ ...deaf, ended: noteIn(ends) })
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

  it('ends an attempt whose result cannot be read as an error, and tells those that were asked for with it', async () => {
    const executor = await open()
    const ends = new Map<string, AttemptResult>()
    const notes: string[] = []
    executor.tellTo({ ...deaf, note: (said) => notes.push(said), ended: noteIn(ends) })
    const [good, newer, broken]: readonly [string, string, string] = [
      'c'.repeat(32),
      'd'.repeat(32),
      'e'.repeat(32),
    ]
    const queue = await TeamQueue.open(address)
    await queue.database.run(`
      CREATE FUNCTION jobmeter.garble() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.result IS NOT NULL AND NEW.task_id = '${newer}' THEN NEW.result := '{"version":2}'; END IF;
        IF NEW.result IS NOT NULL AND NEW.task_id = '${broken}' THEN NEW.result := '{"result":{'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER garble BEFORE UPDATE ON jobmeter.queue_attempt
        FOR EACH ROW EXECUTE FUNCTION jobmeter.garble()`)
    for (const taskId of [newer, broken, good])
      executor.start(shellOrder(taskId, 'exit 5', { workingDirectory: directory }))
    await until(() => ends.size === 3)
    executor.close()
    await queue.database.run('DROP FUNCTION jobmeter.garble CASCADE')
    await queue.close()
    expect(ends.get(good)?.outcome).toMatchObject({ status: 'failed', exitCode: 5 })
    expect(ends.get(newer)?.outcome).toMatchObject({
      status: 'error',
      reason:
        'its result cannot be read: written by version 2; this build reads up to 1. Use a newer jobmeter',
    })
    expect(ends.get(broken)?.outcome).toMatchObject({
      status: 'error',
      reason: 'its result cannot be read: not in a format that this build knows',
    })
    expect(notes).toEqual([])
  }, 60_000)

  executorContract('queue', () => ({ first, second, owner: ourselves(system) }))
})
