import { existsSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox, type Sandbox } from '../program.ts'
import { teamDatabase } from './team.ts'
import { startWorker } from './worker.ts'

describe.skipIf(whyNoPostgres() !== undefined)('the end of a queued job', () => {
  let postgres: Postgres
  let box: Sandbox
  let address: string
  let worker: ReturnType<typeof startWorker>
  let made = 0
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
  }, 60_000)
  afterAll(() => postgres.stop())
  beforeEach(async () => {
    box = sandbox()
    made += 1
    address = await teamDatabase(postgres, `endings${made}`)
    worker = startWorker(address, box.directory)
  }, 60_000)
  afterEach(async () => {
    worker.kill('SIGTERM')
    await worker.hasEnded
    box[Symbol.dispose]()
  }, 60_000)

  const ask = (args: readonly string[]) => box.jobmeter(args, { env: { JOBMETER_TEAM: address } })
  /** A job that exits with 0 when it is told to end, and has begun. */
  const submitPolite = async (...options: readonly string[]): Promise<string> => {
    const begun = box.path('begun')
    const script = `trap 'exit 0' TERM; sleep 100 & touch ${begun}; wait`
    const { stdout } = await ask(['submit', ...options, '--', 'sh', '-c', script])
    await expect.poll(() => existsSync(begun), { timeout: 60_000 }).toBe(true)
    return stdout.trim()
  }

  it('is no success where its worker ended it, though the job exits with 0', async () => {
    const id = await submitPolite('--interruptions', '0')
    worker.kill('SIGTERM')
    // Another signal: of two alike, one might be all that arrives.
    worker.kill('SIGINT')
    await worker.hasEnded
    const waited = await ask(['wait', id, '--format', 'json'])
    expect(JSON.parse(waited.stdout)).toMatchObject([{ state: 'interrupted', exit_code: null }])
    expect(waited.code).toBe(1)
  }, 60_000)

  it('is no success where it was cancelled, though the job exits with 0', async () => {
    const id = await submitPolite()
    const after = (await ask(['submit', '--after', id, '--', 'true'])).stdout.trim()
    expect(await ask(['cancel', id])).toMatchObject({ code: 0 })
    const waited = await ask(['wait', id, '--format', 'json'])
    expect(JSON.parse(waited.stdout)).toMatchObject([
      { state: 'cancelled', exit_code: 0, reason: 'ended by itself after SIGTERM' },
    ])
    expect(waited.code).toBe(130)
    expect(await ask(['wait', after])).toMatchObject({ code: 130 })
    expect(JSON.parse((await ask(['show', id, '--format', 'json'])).stdout)).toMatchObject({
      status: 'success',
      queue: { state: 'cancelled' },
    })
  }, 60_000)
})
