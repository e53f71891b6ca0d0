import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lives } from '../contracts/launch.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox, type Sandbox } from '../program.ts'
import { flow, lines, states, until } from '../workflow/flow.ts'
import { teamDatabase } from './team.ts'
import { startWorker } from './worker.ts'

const long = `jobs:
  - { name: long, command: 'echo $$ >> pids; exec sleep 100' }
`

describe.skipIf(whyNoPostgres() !== undefined)('a workflow in the queue', () => {
  let postgres: Postgres
  let address: string
  let workerBox: Sandbox
  let worker: ReturnType<typeof startWorker>
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
    address = await teamDatabase(postgres, 'workflows')
    workerBox = sandbox()
    worker = startWorker(address, workerBox.directory, '--cpus', '8')
  }, 60_000)
  afterAll(async () => {
    // Twice: a test that failed may have left a job that goes on.
    worker.kill('SIGTERM')
    worker.kill('SIGTERM')
    await worker.hasEnded
    workerBox[Symbol.dispose]()
    await postgres.stop()
  })

  const pids = (box: Sandbox): number[] =>
    existsSync(box.path('pids')) ? lines(box.path('pids')).map(Number) : []

  /** A runner that is killed while its job runs in the queue; answers the pid of the job. */
  async function killedRunner(box: Sandbox): Promise<number> {
    const run = box.start(['submit', flow(box, long), '--db', address], { input: '' })
    await until(() => (pids(box)[0] ?? 0) > 0)
    run.signal('SIGKILL')
    await run.ended
    return pids(box)[0] ?? 0
  }

  it('is cancelled there though its runner is dead', async () => {
    using box = sandbox()
    const before = inRoot()
    const pid = await killedRunner(box)
    const cancelled = await box.jobmeter(['workflows', 'cancel', '1'])
    expect(cancelled, cancelled.stderr).toMatchObject({ code: 0 })
    expect(cancelled.stdout).toContain('1 job cancelled')
    await until(() => !lives(pid))
    expect(await states(box)).toEqual({ long: 'cancelled' })
    expect(inRoot(), 'files in the root of the file system').toEqual(before)
  }, 60_000)

  it('does not run beside itself when it is resumed after that', async () => {
    using box = sandbox()
    const spec = `jobs:
  - name: stubborn
    command: 'test ! -e goes || touch beside; test ! -e again || exit 0; touch goes; trap "" TERM; echo $$ > pids; touch again; i=0; while [ $i -lt 30 ]; do sleep 0.1; i=$((i+1)); done; rm goes'
`
    const run = box.start(['submit', flow(box, spec), '--db', address], { input: '' })
    await until(() => existsSync(box.path('again')))
    run.signal('SIGKILL')
    await run.ended
    expect(await box.jobmeter(['workflows', 'cancel', '1'])).toMatchObject({ code: 0 })
    expect(existsSync(box.path('goes'))).toBe(false)
    const env = { JOBMETER_TEAM: address }
    await box.jobmeter(['run', '--resume', '1'], { env })
    expect(existsSync(box.path('beside'))).toBe(false)
  }, 120_000)

  it('is not called cancelled where its queue cannot be told', async () => {
    using box = sandbox()
    const gone = await teamDatabase(postgres, 'gone')
    const run = box.start(['submit', flow(box, long), '--db', gone], { input: '' })
    const server = new Client({ connectionString: gone })
    await server.connect()
    const isQueued = async (): Promise<boolean> =>
      (await server.query('SELECT FROM jobmeter.queue_job')).rowCount === 1
    while (!(await isQueued())) await sleep(10)
    run.signal('SIGKILL')
    await run.ended
    await server.end()
    const postgresItself = new Client({ connectionString: postgres.address('postgres') })
    await postgresItself.connect()
    await postgresItself.query('DROP DATABASE gone WITH (FORCE)')
    await postgresItself.end()
    const cancelled = await box.jobmeter(['workflows', 'cancel', '1'])
    expect(cancelled.code).not.toBe(0)
    expect(cancelled.stderr).toContain(`1 attempt may still run in the queue at ${gone}`)
    expect(await states(box)).toEqual({ long: 'interrupted' })
  }, 60_000)

  it('is not written where its worker does not let it', async () => {
    using box = sandbox()
    using there = sandbox()
    const limited = await teamDatabase(postgres, 'limited')
    const rules = (allowed: string) =>
      writeFileSync(there.path('worker.yaml'), `directories: [${allowed}]\n`)
    const spec = flow(box, `jobs: [{ name: one, command: 'echo one; echo two' }]`)
    const run = async () => {
      const config = ['--config', there.path('worker.yaml')]
      const limitedWorker = startWorker(limited, there.directory, ...config)
      const ended = await box.jobmeter(['submit', spec, '--db', limited])
      limitedWorker.kill('SIGTERM')
      await limitedWorker.hasEnded
      return ended
    }
    rules(there.directory)
    expect((await run()).code).not.toBe(0)
    expect(await states(box)).toEqual({ one: 'error' })
    const [record] = await box.history()
    expect(record?.error).toContain(`read and write only in ${there.directory}`)
    const logs = () =>
      readdirSync(box.directory, { encoding: 'utf8', recursive: true }).filter((file) =>
        file.endsWith('.o'),
      )
    expect(logs()).toEqual([])
    rules(box.directory)
    expect(await run()).toMatchObject({ code: 0 })
    expect(logs()).toHaveLength(1)
  }, 120_000)

  it('goes on in its own queue alone', async () => {
    using box = sandbox()
    const other = await teamDatabase(postgres, 'another team')
    const pid = await killedRunner(box)
    const elsewhere = { env: { JOBMETER_TEAM: other } }
    const refused = await box.jobmeter(['run', '--resume', '1'], elsewhere)
    expect(refused.code, refused.stderr).not.toBe(0)
    expect(refused.stderr).toContain(`in the queue at ${address}`)
    expect(refused.stderr).toContain(`JOBMETER_TEAM=${address} jobmeter run --resume 1`)
    const unnamed = await box.jobmeter(['run', '--resume', '1'])
    expect(unnamed.stderr).toContain('$JOBMETER_TEAM')
    expect(unnamed.stderr).not.toContain('--db')
    expect(pids(box)).toEqual([pid])
    process.kill(pid, 'SIGTERM')
    const here = { env: { JOBMETER_TEAM: address } }
    const resumed = await box.jobmeter(['run', '--resume', '1'], here)
    expect(resumed, resumed.stderr).toMatchObject({ code: 1 })
    expect(pids(box)).toEqual([pid])
  }, 60_000)

  it('waits while the queue is drained, hears of what runs, and goes on after that', async () => {
    using box = sandbox()
    const spec = `jobs:
  - { name: a, command: 'touch a; while [ ! -e drained ]; do sleep 0.05; done' }
  - { name: b, command: 'touch b', depends_on: [a] }
  - { name: c, command: 'touch c; while [ ! -e end-c ]; do sleep 0.05; done' }
`
    const env = { JOBMETER_TEAM: address }
    const run = box.start(['submit', flow(box, spec)], { env, input: '' })
    await until(() => existsSync(box.path('a')) && existsSync(box.path('c')))
    expect(await box.jobmeter(['queue', 'drain'], { env })).toMatchObject({ code: 0 })
    writeFileSync(box.path('drained'), '')
    await run.saw('the queue is being drained')
    writeFileSync(box.path('end-c'), '')
    await untilStates(box, { a: 'success', c: 'success' })
    expect(existsSync(box.path('b'))).toBe(false)
    await box.jobmeter(['queue', 'resume'], { env })
    const ended = await run.ended
    expect(ended, ended.stderr).toMatchObject({ code: 0 })
    expect(ended.stderr).not.toContain('does not answer')
    expect(existsSync(box.path('b'))).toBe(true)
  }, 60_000)

  it('says with --quiet what it waits for, and nothing of going on', async () => {
    using box = sandbox()
    const env = { JOBMETER_TEAM: address }
    await box.jobmeter(['queue', 'drain'], { env })
    const spec = flow(box, 'jobs: [{ name: a, command: "true" }]\n')
    const run = box.start(['run', spec, '--executor', 'queue', '--quiet'], { env, input: '' })
    await run.saw('the queue is being drained')
    await box.jobmeter(['queue', 'resume'], { env })
    expect(await run.ended).toMatchObject({
      code: 0,
      stderr:
        'jobmeter: the queue is being drained: jobs that are to begin wait until it is opened again (jobmeter queue resume)\n',
    })
  }, 60_000)

  it('can be stopped while the queue is drained', async () => {
    using box = sandbox()
    const env = { JOBMETER_TEAM: address }
    await box.jobmeter(['queue', 'drain'], { env })
    const run = box.start(['submit', flow(box, long)], { env, input: '' })
    await run.saw('the queue is being drained')
    run.signal('SIGINT')
    expect(await run.ended).toMatchObject({ code: 130 })
    expect(await states(box)).toEqual({ long: 'cancelled' })
    await box.jobmeter(['queue', 'resume'], { env })
    expect(pids(box)).toEqual([])
  }, 60_000)
})

/** When what a handle without a folder would lead to was last written. */
const inRoot = (): (number | undefined)[] =>
  ['/claim', '/end-request'].map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs)

async function untilStates(box: Sandbox, wanted: Readonly<Record<string, string>>): Promise<void> {
  for (;;) {
    const found = await states(box)
    if (Object.entries(wanted).every(([name, state]) => found[name] === state)) return
  }
}
