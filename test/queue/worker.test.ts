import { existsSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { pipeline } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Database } from '../../src/store/postgres/connection.ts'
import { freePort } from '../free-port.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox } from '../program.ts'
import { teamDatabase } from './team.ts'
import { startWorker } from './worker.ts'

describe.skipIf(whyNoPostgres() !== undefined)('a worker', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
  }, 60_000)
  afterAll(() => postgres.stop())

  it('waits for a database that is not there yet', async () => {
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

  it('has all of its machine again after it lost its lease in the middle of a job', async () => {
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
})
