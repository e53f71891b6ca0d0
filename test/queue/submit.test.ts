import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox, type Sandbox } from '../program.ts'
import { flow } from '../workflow/flow.ts'
import { teamDatabase } from './team.ts'
import { startWorker } from './worker.ts'

describe.skipIf(whyNoPostgres() !== undefined)('jobs that are submitted', () => {
  let postgres: Postgres
  let address: string
  let workerBox: Sandbox
  let worker: ReturnType<typeof startWorker>
  let team: Client
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
    address = await teamDatabase(postgres, 'submitted')
    workerBox = sandbox()
    worker = startWorker(address, workerBox.directory, '--cpus', '8')
    team = new Client({ connectionString: address })
    await team.connect()
  }, 60_000)
  afterAll(async () => {
    worker.kill('SIGTERM')
    await worker.hasEnded
    workerBox[Symbol.dispose]()
    await team.end()
    await postgres.stop()
  })

  /** Until the ledger of the team has so many records of this name. */
  async function untilSent(name: string, count: number): Promise<void> {
    const sql = `SELECT FROM jobmeter.attempt WHERE job_name = $1 AND status <> 'running'`
    while (((await team.query(sql, [name])).rowCount ?? 0) < count) await sleep(50)
  }

  it('give the exit code of the first of them that failed, in the order of their lines', async () => {
    using box = sandbox()
    // The first one ends last.
    const lines = Array.from(
      { length: 8 },
      (_, index) => `sleep ${(8 - index) / 10}; exit ${11 + index}`,
    )
    writeFileSync(box.path('lines'), `# not a job\n\n  # nor this\ntrue\n${lines.join('\n')}\n`)
    const submitted = ['submit', '--each-line', box.path('lines'), '--wait', '--db', address]
    const ended = await box.jobmeter(submitted)
    expect(ended, ended.stderr).toMatchObject({ code: 11 })
    const listed = ['queue', 'list', '--status', 'success,failed', '--db', address]
    const { stdout } = await box.jobmeter([...listed, '--format', 'json'])
    expect(JSON.parse(stdout)).toHaveLength(9)
  }, 60_000)

  it('reach the ledger of the team that their worker works for', async () => {
    using box = sandbox()
    const submitted = ['submit', '--name', 'from_a_worker', '--wait', '--db', address, '--', 'true']
    expect(await box.jobmeter(submitted)).toMatchObject({ code: 0 })
    await untilSent('from_a_worker', 1)
  }, 60_000)

  it('reach the ledger of the team whose queue their workflow went through', async () => {
    using box = sandbox()
    const spec = flow(box, `jobs:\n  - { name: from_a_workflow, command: 'true' }\n`)
    expect(await box.jobmeter(['submit', spec, '--db', address])).toMatchObject({ code: 0 })
    await untilSent('from_a_workflow', 1)
  }, 60_000)
})
