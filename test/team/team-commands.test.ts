import { userInfo } from 'node:os'
import { existsSync, readFileSync, statSync, symlinkSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { sendNotesPath } from '../../src/store/outbox/send-notes.ts'
import { Database } from '../../src/store/postgres/connection.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox, type Ended, type Sandbox } from '../program.ts'
import { repository } from '../workloads/compile.ts'

const guide = readFileSync(join(repository, 'docs/team.md'), 'utf8')
/** Who runs the tests plays ada: a role sends what is of the user who has its name. */
const ada = userInfo().username
const blocks = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) =>
  (match[1] ?? '').replaceAll(/\bada\b/g, ada),
)

describe.skipIf(whyNoPostgres() !== undefined)('the commands of a team', () => {
  let postgres: Postgres
  let box: Sandbox
  let shown: Ended
  const opened: Database[] = []
  const as = (user: string, name: string): Database => {
    const database = new Database({ connectionString: postgres.address(name, user) })
    opened.push(database)
    return database
  }

  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
    box = sandbox()
    mkdirSync(box.path('bin'))
    symlinkSync(join(repository, 'bin/jobmeter.cjs'), box.path('bin/jobmeter'))
    await postgres.database('jobs')
    await askForPasswords()
    await box.run(['--', 'true'])
    await box.run(['--interval', '0.05', '--', 'sleep', '0.4'])
    const script = blocks.join('\n').replaceAll('db.lab/', `127.0.0.1:${postgres.port}/`)
    const env = { PATH: `${box.path('bin')}:${box.env['PATH']}` }
    shown = await box.shell(`set -e\n${script}`, { env })
  }, 180_000)
  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()))
    box[Symbol.dispose]()
    await postgres.stop()
  })

  /** A server that asks all but its administrator for passwords. */
  async function askForPasswords(): Promise<void> {
    const rules = 'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n'
    writeFileSync(join(postgres.directory, 'data', 'pg_hba.conf'), rules)
    await as('postgres', 'postgres').rows('SELECT pg_reload_conf()')
  }

  it('run as the guide shows them, one after the other', async ({ expect }) => {
    const { stdout, stderr, code } = shown
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    expect(stdout).toContain('2 records wait to be sent')
    expect(stdout).toMatch(/sent 2 records and \d+ samples\nTeam: postgres:\/\/[^@:]+@/)
    expect(stdout).toContain('nothing new to send')
    expect(stdout).toContain('"waiting_records": 0')
    expect(stdout).toContain('records: kept for 24 months')
    expect(stdout).toContain(`has left postgres://${ada}@127.0.0.1`)
    const found = await as('postgres', 'jobs').rows(
      'SELECT job_tool, status FROM attempt ORDER BY id',
    )
    expect(found).toEqual([
      { job_tool: 'true', status: 'success' },
      { job_tool: 'sleep', status: 'success' },
    ])
  })

  it('say nothing of sending to a ledger that holds nothing', async ({ expect }) => {
    using own = sandbox()
    const joined = await own.jobmeter([
      'team',
      'join',
      postgres.address('jobs', `${ada}:change-me`),
    ])
    expect(joined).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/ has joined .*\nNothing waits to be sent\n$/),
    })
  }, 60_000)

  it('keep a password to themselves', async ({ expect }) => {
    using own = sandbox()
    await own.run(['--', 'true'])
    await as('postgres', 'jobs').run(
      "CREATE ROLE secretive LOGIN PASSWORD 'hush-hush' IN ROLE jobmeter_node",
    )
    const address = postgres.address('jobs', 'secretive:hush-hush')
    const joined = await own.jobmeter(['team', 'join', address])
    expect(joined).toMatchObject({ code: 0, stderr: '' })
    const config = own.path('config/jobmeter/team.json')
    expect(statSync(config).mode & 0o777).toBe(0o600)
    const outputs = [joined, await own.jobmeter(['sync']), await own.jobmeter(['team', 'status'])]
    const wrong = await own.jobmeter(['team', 'join', address.replace('hush-hush', 'hush-hash')])
    expect(outputs[1]).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^sent 1 record and/),
    })
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('refuses the user or the password'),
    })
    const said = [...outputs, wrong].map(({ stdout, stderr }) => stdout + stderr).join('\n')
    expect(said).not.toMatch(/hush/)
    const notes = sendNotesPath({ ledger: own.db, address })
    expect(readFileSync(notes, 'utf8')).not.toMatch(/hush/)
  })

  it('say what is wrong, and what to do about it', async ({ expect }) => {
    await postgres.database('empty')
    await as('postgres', 'jobs').run("CREATE ROLE nobody LOGIN PASSWORD 'x'")
    await as('postgres', 'jobs').run("CREATE ROLE other LOGIN PASSWORD 'x' IN ROLE jobmeter_writer")
    const told: readonly (readonly [string, string])[] = [
      [postgres.address('jobs', 'other:x'), 'may send records of a user other, not those of'],
      ['postgres://ada@127.0.0.1:1/jobs', 'cannot be reached'],
      [postgres.address('empty'), 'holds no team ledger'],
      [postgres.address('none'), 'has no such database'],
      [postgres.address('jobs', 'nobody:x'), 'does not let this role do that'],
      [postgres.address('jobs', 'ada'), 'it asks for a password, and none was given'],
      ['ledger.db', 'is not the address of a database'],
    ]
    for (const [address, words] of told) {
      const { stderr, code } = await box.jobmeter(['team', 'join', address])
      expect(stderr).toContain(words)
      expect(code).toBeGreaterThan(0)
    }
    await as('postgres', 'jobs').run('INSERT INTO version (step) VALUES (99)')
    const newer = await box.jobmeter(['team', 'join', postgres.address('jobs')])
    await as('postgres', 'jobs').run('DELETE FROM version WHERE step = 99')
    expect(newer).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Use a newer jobmeter'),
    })
  })

  it.concurrent('have samples of a workflow sent while its jobs run', async ({ expect }) => {
    using own = sandbox()
    const team = as('postgres', 'jobs')
    await own.jobmeter(['team', 'join', postgres.address('jobs', `${ada}:change-me`)])
    writeFileSync(
      own.path('long.yaml'),
      'resource_monitor: {granularity: time_series, sample_interval_seconds: 0.1}\nname: long\njobs:\n  - {name: waits, command: "until [ -e go ]; do sleep 0.1; done"}\n',
    )
    const ended = own.jobmeter(['run', 'long.yaml', '--quiet'])
    const sent = `SELECT status, sum(row_count) > 5 AS has_samples FROM attempt JOIN sample_chunk USING (task_id)
      WHERE job_name = 'waits' GROUP BY status`
    await expect
      .poll(() => team.rows(sent), { timeout: 60_000 })
      .toEqual([{ status: 'running', has_samples: true }])
    writeFileSync(own.path('go'), '')
    expect(await ended).toMatchObject({ code: 0 })
    const whole = `SELECT status, attempt.samples_collected = sum(row_count) AS is_whole
      FROM attempt JOIN sample_chunk USING (task_id) WHERE job_name = 'waits' GROUP BY status, samples_collected`
    await expect
      .poll(() => team.rows(whole), { timeout: 60_000 })
      .toEqual([{ status: 'success', is_whole: true }])
  }, 150_000)

  it.concurrent('tell how far the team is behind a job that runs', async ({ expect }) => {
    using own = sandbox()
    await own.jobmeter(['team', 'join', postgres.address('jobs', `${ada}:change-me`)])
    const status = async () =>
      JSON.parse((await own.jobmeter(['team', 'status', '--format', 'json'])).stdout) as {
        waiting_records: number
        waiting_samples: number
        lag_seconds: number | null
      }
    const job = own.run([
      '--interval',
      '0.1',
      '--',
      'sh',
      '-c',
      'until [ -e go ]; do sleep 0.1; done',
    ])
    // A job that is watched is in the ledger while it runs.
    await expect.poll(async () => (await status()).waiting_records, { timeout: 30_000 }).toBe(1)
    await own.jobmeter(['sync'])
    await expect
      .poll(async () => (await status()).waiting_samples, { timeout: 30_000 })
      .toBeGreaterThan(3)
    expect(await status()).toMatchObject({ waiting_records: 0, lag_seconds: expect.any(Number) })
    writeFileSync(own.path('go'), '')
    await job
    expect(await status()).toMatchObject({ waiting_records: 1 })
    await own.jobmeter(['sync'])
    expect(await status()).toMatchObject({
      waiting_records: 0,
      waiting_samples: 0,
      lag_seconds: null,
    })
  }, 120_000)

  it.concurrent('have an agent send what the ledger of its machine holds, once it has joined', async ({
    expect,
  }) => {
    using own = sandbox()
    const team = as('postgres', 'jobs')
    const agent = own.start(['agent', '--interval', '1s', '--db', own.path('node.db')])
    try {
      await expect.poll(() => existsSync(own.path('node.db')), { timeout: 30_000 }).toBe(true)
      await own.run(['--tag', 'beside-an-agent', '--', 'true'])
      await own.jobmeter(['team', 'join', postgres.address('jobs', 'node17:change-me-too')])
      const sent = "SELECT status FROM attempt WHERE job_tags LIKE '%beside-an-agent%'"
      await expect.poll(() => team.rows(sent), { timeout: 60_000 }).toEqual([{ status: 'success' }])
      const rounds = 'SELECT count(*) > 0 AS has_rounds FROM node_round'
      await expect
        .poll(() => team.rows(rounds), { timeout: 60_000 })
        .toEqual([{ has_rounds: true }])
      // Whoever has left sends nothing more, and whoever joins again goes on.
      await own.jobmeter(['team', 'leave'])
      await own.run(['--tag', 'after-leaving', '--', 'true'])
    } finally {
      agent.signal('SIGTERM')
      await agent.ended
    }
    const later = "SELECT status FROM attempt WHERE job_tags LIKE '%after-leaving%'"
    expect(await team.rows(later)).toEqual([])
  }, 200_000)

  it.concurrent('have a workflow sent while it runs, and nothing fails where the team is away', async ({
    expect,
  }) => {
    writeFileSync(
      box.path('pair.yaml'),
      'resource_monitor: {granularity: time_series, sample_interval_seconds: 0.1}\nname: pair\njobs:\n  - {name: a, command: sleep 0.5}\n  - {name: b, command: "true"}\n',
    )
    const team = as('postgres', 'jobs')
    await box.jobmeter(['team', 'join', postgres.address('jobs', `${ada}:change-me`)])
    expect(await box.jobmeter(['run', 'pair.yaml', '--quiet'])).toMatchObject({ code: 0 })
    const arrived =
      "SELECT name, state FROM job WHERE name IN ('a', 'b') AND state = 'success' ORDER BY name"
    await expect
      .poll(() => team.rows(arrived), { timeout: 30_000 })
      .toEqual([
        { name: 'a', state: 'success' },
        { name: 'b', state: 'success' },
      ])
    const packed = `SELECT attempt.samples_collected = sum(row_count) AS is_whole FROM attempt JOIN sample_chunk USING (task_id)
      WHERE job_name = 'a' GROUP BY attempt.samples_collected`
    await expect.poll(() => team.rows(packed), { timeout: 30_000 }).toEqual([{ is_whole: true }])
    const away = { env: { XDG_CONFIG_HOME: box.path('away') } }
    mkdirSync(box.path('away/jobmeter'), { recursive: true })
    const joined = [{ ledger: box.db, address: 'postgres://ada@127.0.0.1:1/jobs' }]
    writeFileSync(box.path('away/jobmeter/team.json'), JSON.stringify({ version: 1, joined }), {
      mode: 0o600,
    })
    expect(await box.jobmeter(['run', 'pair.yaml', '--quiet'], away)).toMatchObject({
      code: 0,
      stderr: '',
    })
    const status = await box.jobmeter(['team', 'status', '--format', 'json'], away)
    expect(status.code).toBe(1)
    expect(JSON.parse(status.stdout)).toMatchObject({
      team: null,
      problem: expect.stringContaining('cannot be reached'),
    })
  })
})
