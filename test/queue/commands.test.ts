import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Database } from '../../src/store/postgres/connection.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox, type Sandbox } from '../program.ts'
import { teamDatabase } from './team.ts'
import { startWorker } from './worker.ts'

describe.skipIf(whyNoPostgres() !== undefined)('the commands of the queue', () => {
  let postgres: Postgres
  let box: Sandbox
  let address: string
  let workers: ReturnType<typeof startWorker>[]
  let made = 0
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
  }, 60_000)
  afterAll(() => postgres.stop())
  beforeEach(async () => {
    box = sandbox()
    made += 1
    address = await teamDatabase(postgres, `commands${made}`)
    workers = []
  }, 60_000)
  afterEach(async () => {
    for (const worker of workers) worker.kill('SIGTERM')
    await Promise.all(workers.map(({ hasEnded }) => hasEnded))
    box[Symbol.dispose]()
    vi.unstubAllEnvs()
  }, 60_000)

  const start = (...options: readonly string[]) => {
    const worker = startWorker(address, box.directory, ...options)
    workers.push(worker)
    return worker
  }
  const ask = (args: readonly string[]) => box.jobmeter(args, { env: { JOBMETER_TEAM: address } })
  const submit = async (...args: readonly string[]): Promise<string> =>
    (await ask(['submit', ...args])).stdout.trim()
  const json = async (...args: readonly string[]): Promise<unknown> =>
    JSON.parse((await ask([...args, '--format', 'json'])).stdout)

  it('lead from the id of a job whose worker was lost to the attempt that counts', async () => {
    const lost = start('--lease', '2')
    const begun = box.path('begun')
    const script = `test -e ${begun} && echo again || { echo once > ${begun}; sleep 300; }`
    const id = await submit('--', 'sh', '-c', script)
    await expect.poll(() => existsSync(begun), { timeout: 60_000 }).toBe(true)
    lost.kill('SIGKILL')
    start('--lease', '2')
    expect(await ask(['wait', id])).toMatchObject({ code: 0 })
    const trail = {
      status: 'success',
      queue: {
        id,
        state: 'success',
        attempts: [
          { task_id: id, attempt: 1, status: 'interrupted' },
          { attempt: 2, status: 'success' },
        ],
      },
    }
    expect(await json('show', id)).toMatchObject(trail)
    expect(await json('show', id.slice(0, 12))).toMatchObject(trail)
    // The ledger alone says so, too, where no queue can be asked.
    const alone = await box.jobmeter(['show', id, '--format', 'json', '--db', box.db])
    expect(JSON.parse(alone.stdout)).toMatchObject({
      status: 'success',
      queue: { id, state: null, attempts: [{ status: 'interrupted' }, { status: 'success' }] },
    })
    expect((await ask(['show', id])).stdout).toMatch(
      /Attempt 1: .* interrupted on .*\n {2}Attempt 2: .* success on .* \(shown above\)/,
    )
    expect(await json('history', '--tag', `queue:${id}`)).toMatchObject([
      { status: 'success' },
      { task_id: id, status: 'interrupted' },
    ])
    expect(await ask(['logs', id])).toMatchObject({
      stdout: 'again\n',
      stderr: expect.stringContaining('this is of attempt 2'),
    })
    using elsewhere = sandbox()
    const env = { JOBMETER_TEAM: address }
    const there = await elsewhere.jobmeter(['show', id, '--format', 'json'], { env })
    expect(JSON.parse(there.stdout)).toMatchObject(trail)
    await ask(['team', 'join', address])
    expect(await ask(['sync'])).toMatchObject({ code: 0 })
    expect(await json('show', id, '--db', 'team')).toMatchObject(trail)
  }, 180_000)

  it('say how a job stands that has no record yet', async () => {
    const id = await submit('--', 'true')
    expect(await ask(['show', id])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`has not begun: jobmeter queue why ${id}`),
    })
    await ask(['cancel', id])
    expect((await ask(['show', id])).stderr).toContain('never began: cancelled before it began')
  }, 60_000)

  it('hand over commands of any bytes, and refuse what they cannot hand over', async () => {
    start()
    const env = { JOBMETER_TEAM: address }
    const printed = await box.shell(
      `$JOBMETER submit --wait -- printf '%s' $'\\xff\\xfe' $'\\xc3\\xa9' | od -An -tx1`,
      { env },
    )
    expect(printed).toMatchObject({ code: 0, stdout: ' ff fe c3 a9\n' })
    const refused = await box.shell(`$JOBMETER submit --env A=$'\\xff' -- true`, { env })
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is not UTF-8') })
  }, 60_000)

  it('say which jobs no worker that is alive accepts, and why', async () => {
    const unserved = await ask(['submit', '--', 'true'])
    expect(unserved.stderr).toContain('the job waits: no worker is alive; jobmeter worker starts')
    await ask(['cancel', unserved.stdout.trim()])
    writeFileSync(box.path('worker.yaml'), 'users: [somebody]\n')
    start('--cpus', '2', '--labels', 'fast')
    start('--cpus', '99', '--config', box.path('worker.yaml'))
    await expect
      .poll(() => json('queue', 'status'), { timeout: 60_000 })
      .toMatchObject({ workers: [{ state: 'alive' }, { state: 'alive' }] })
    const big = await ask(['submit', '--cpus', '64', '--', 'true'])
    const id = big.stdout.trim()
    expect(big.code).toBe(0)
    expect(big.stderr).toContain('no worker that is alive accepts this: ')
    expect(big.stderr).toContain('it asks for 64 CPUs of 2')
    expect(big.stderr).toContain('this worker accepts no jobs of')
    const unlike = await ask(['submit', '--format', 'json', '--labels', 'slow', '--', 'true'])
    expect(JSON.parse(unlike.stdout)).toMatchObject({
      ids: [expect.any(String)],
      warnings: [expect.stringContaining('it has no label slow')],
    })
    const like = await ask(['submit', '--format', 'json', '--labels', 'fast', '--', 'true'])
    expect(JSON.parse(like.stdout)).toMatchObject({ warnings: [] })
    expect(await ask(['queue', 'why', id.slice(0, 8)])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('It waits: no worker that is alive accepts this'),
    })
    expect(await json('queue', 'status')).toMatchObject({
      stuck: [
        { program: 'true', jobs: 1, why: expect.stringContaining('64 CPUs') },
        { program: 'true', jobs: 1, why: expect.stringContaining('no label slow') },
      ],
    })
    expect((await ask(['queue', 'status'])).stdout).toMatch(/^1 job of .* cannot begin: no worker/m)
    const waited = await ask(['wait', '--timeout', '1s', id])
    expect(waited).toMatchObject({ code: 75, stderr: expect.stringContaining('64 CPUs of 2') })
    const listed = await ask(['queue', 'list', '--mine', '--status', 'queued'])
    expect(listed.stdout).toContain(id.slice(0, 12))
    expect(await json('queue', 'list', '--status', 'queued')).toMatchObject([
      { state: 'queued' },
      { id, state: 'queued' },
    ])
    await ask(['queue', 'pause'])
    expect((await ask(['queue', 'why', id])).stdout).toContain('the queue is paused')
  }, 120_000)

  it('tell which processes a job left running', async () => {
    start()
    const script = '(sleep 300; echo late > late) & echo first'
    const { code, stdout, stderr } = await ask(['submit', '--wait', '--', 'sh', '-c', script])
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'first\n' })
    expect(stderr).toMatch(/: success on .*: ended [12] process(es)? that it left running\n$/)
    const [{ task_id: id } = { task_id: '' }] = await box.history()
    expect(await json('wait', id)).toMatchObject([
      { state: 'success', reason: expect.stringMatching(/^ended [12] process/) },
    ])
    expect((await ask(['show', id])).stdout).toMatch(/Note: ended [12] process/)
    expect(existsSync(box.path('late'))).toBe(false)
  }, 60_000)

  it('pass on what jobs print at once, and say how to go on after Ctrl-C', async () => {
    start()
    const go = box.path('go')
    const script = `echo first; while ! test -e ${go}; do sleep 0.1; done; echo last`
    const env = { JOBMETER_TEAM: address }
    const waiting = box.start(['submit', '--wait', '--', 'sh', '-c', script], { env })
    await waiting.saw('first\n')
    waiting.signal('SIGINT')
    const { code, stderr } = await waiting.ended
    expect(code).toBe(130)
    const id = /job ([0-9a-f]{32}) stays in the queue/.exec(stderr)?.[1] ?? ''
    expect(stderr).toContain(`jobmeter logs --follow ${id}`)
    expect(stderr).toContain(`jobmeter cancel ${id}`)
    writeFileSync(go, '')
    expect(await ask(['wait', id])).toMatchObject({ code: 0 })
    expect((await ask(['logs', id])).stdout).toBe('first\nlast\n')
  }, 60_000)

  it('say that jobs get no standard input', async () => {
    start()
    const env = { JOBMETER_TEAM: address }
    const words = 'standard input is not passed to jobs in the queue'
    writeFileSync(box.path('lines'), 'a line\n')
    for (const redirected of ['< lines', '< <(cat lines)', '< /dev/null', '< <(true)']) {
      const ended = await box.shell(`$JOBMETER submit --wait -- cat ${redirected}`, { env })
      expect(ended).toMatchObject({ code: 0, stdout: '' })
      expect(ended.stderr.includes(words), redirected).toBe(redirected.includes('lines'))
    }
    // What Node gives to those that it starts is a socket.
    const given = { env, input: 'exit 0\nexit 0\n' }
    expect(await box.jobmeter(['submit', '--wait', '--each-line', '-'], given)).toMatchObject({
      code: 0,
    })
    const lines = await box.shell("echo 'exit 0' | $JOBMETER submit --wait --each-line -", { env })
    expect(lines.stderr).not.toContain(words)
  }, 90_000)

  it('keep what lets a worker into the database from its jobs', async () => {
    vi.stubEnv('PGPASSWORD', 'hush-one')
    address = address.replace('postgres@', 'postgres:hush-two@')
    start()
    const job = await ask(['submit', '--wait', '--env', 'OWN=mine', '--', 'env'])
    expect(job.stdout).toContain('OWN=mine')
    expect(job.stdout).toMatch(/^JOBMETER_TEAM=postgres:\/\/postgres@127/m)
    expect(job.stdout).not.toContain('hush')
    const env = box.path('env.txt')
    writeFileSync(
      box.path('spec.yaml'),
      `name: one\njobs:\n  - {name: a, command: "env > ${env}"}\n`,
    )
    const run = await box.jobmeter(['submit', 'spec.yaml', '--quiet'], {
      env: { JOBMETER_TEAM: address, PGPASSWORD: 'hush-three' },
    })
    expect(run).toMatchObject({ code: 0 })
    expect(readFileSync(env, 'utf8')).toContain('JOBMETER_JOB_NAME=a')
    expect(readFileSync(env, 'utf8')).not.toContain('hush')
    const database = new Database({ connectionString: address })
    const kept = await database.rows("SELECT 1 FROM queue_job WHERE definition LIKE '%hush%'")
    await database.close()
    expect(kept).toEqual([])
  }, 90_000)

  it('tell workers of one host apart, and forget lost ones after a day', async () => {
    const lost = start('--lease', '2')
    await expect
      .poll(() => json('queue', 'status'), { timeout: 60_000 })
      .toMatchObject({ workers: [{ state: 'alive' }] })
    lost.kill('SIGKILL')
    await expect
      .poll(() => json('queue', 'status'), { timeout: 60_000 })
      .toMatchObject({ workers: [{ state: 'lost', silent_seconds: expect.any(Number) }] })
    const { stdout } = await ask(['queue', 'status'])
    expect(stdout).toMatch(/^Worker +Id .*Last seen/m)
    expect(stdout).toMatch(/ [0-9a-f]{8} .* lost .* ago/)
    const database = new Database({ connectionString: address })
    await database.run("UPDATE queue_worker SET lease_until = lease_until - interval '25 hours'")
    await database.close()
    expect(await json('queue', 'status')).toMatchObject({ workers: [] })
  }, 120_000)
})
