import { existsSync, readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Database } from '../../src/store/postgres/connection.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox } from '../program.ts'
import { teamDatabase } from './team.ts'
import { startWorker } from './worker.ts'

describe.skipIf(whyNoPostgres() !== undefined)('commands of the queue', () => {
  let postgres: Postgres
  let root = ''
  const as = (user: string): string => postgres.address('jobs', user)
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
    root = await teamDatabase(postgres, 'jobs')
    const database = new Database({ connectionString: root })
    await database.run(`
      CREATE ROLE ada LOGIN IN ROLE jobmeter_writer, jobmeter_reader;
      CREATE ROLE bob LOGIN IN ROLE jobmeter_reader;
      CREATE ROLE viewer LOGIN IN ROLE jobmeter_writer, jobmeter_reader;
      INSERT INTO viewer VALUES ('viewer', 'ada');
      CREATE ROLE node LOGIN IN ROLE jobmeter_writer, jobmeter_worker`)
    await database.close()
  }, 60_000)
  afterAll(() => postgres.stop())

  it('run the jobs of somebody else where the worker may, each under its own name', async () => {
    using box = sandbox()
    using there = sandbox()
    await there.shell(`echo "users: [ada]" > worker.yaml`)
    const worker = startWorker(as('node'), there.directory, '--config', there.path('worker.yaml'))
    try {
      const ended = await box.jobmeter(
        [
          'submit',
          '--db',
          as('ada'),
          '--wait',
          '--name',
          'hers',
          '--',
          'sh',
          '-c',
          'echo hi; exit 3',
        ],
        { env: { USER: 'somebody' } },
      )
      expect(ended).toMatchObject({ code: 3, stdout: expect.stringContaining('hi') })
    } finally {
      worker.kill('SIGTERM')
    }
    expect(await worker.hasEnded).toBe(0)
    // The record is in the ledger of the worker by then, and waits nowhere else.
    expect(readdirSync(there.path('ledger.db.spool'))).toEqual([])
    const { stdout } = await there.jobmeter([
      'history',
      '--format',
      'json',
      '--db',
      there.path('ledger.db'),
    ])
    const mine = ['queue', 'list', '--mine', '--status', 'failed', '--format', 'json']
    const hers = await box.jobmeter([...mine, '--db', as('ada')], { env: { USER: 'somebody' } })
    expect(JSON.parse(hers.stdout)).toMatchObject([{ name: 'hers', user: 'ada' }])
    expect(JSON.parse(stdout)).toMatchObject([
      { name: 'hers', user: 'ada', status: 'failed', returncode: 3 },
    ])
    const seen = await box.jobmeter(['queue', 'status', '--db', as('bob'), '--format', 'json'])
    expect(JSON.parse(seen.stdout)).toMatchObject({ state: 'open', jobs: {} })
    const own = await box.jobmeter(['queue', 'status', '--db', as('ada'), '--format', 'json'])
    expect(JSON.parse(own.stdout)).toMatchObject({ jobs: { failed: 1 } })
  }, 60_000)

  it('show people the records of their jobs, which a worker of another name ran', async () => {
    using box = sandbox()
    using there = sandbox()
    await there.shell(`echo "users: ['*']" > worker.yaml`)
    const worker = startWorker(as('node'), there.directory, '--config', there.path('worker.yaml'))
    const asAda = (...words: string[]) => box.jobmeter([...words, '--db', as('ada')])
    const job = ['--name', 'shared', '--', 'sh', '-c', 'sleep 1.2']
    const { stdout } = await box.jobmeter(['submit', '--db', as('ada'), ...job])
    const id = stdout.trim()
    try {
      expect(await asAda('wait', id)).toMatchObject({ code: 0 })
      const told = await asAda('show', id, '--format', 'json')
      expect(JSON.parse(told.stdout)).toMatchObject({ user: 'ada' })
      let records: unknown[] = []
      while (records.length === 0) {
        const found = await asAda('history', '--tag', `queue:${id}`, '--format', 'json')
        records = JSON.parse(found.stdout) as unknown[]
      }
      expect(records).toMatchObject([{ task_id: id, user: 'ada' }])
      while ((await asAda('series', id)).stdout === '') {
        // Its samples come with its record, or right after it.
      }
    } finally {
      worker.kill('SIGTERM')
    }
    expect(await worker.hasEnded).toBe(0)
    // What sends its records on has a process of its own, and ends after it.
    const mine = async () => {
      const asked = ['--user', 'ada', '--tag', `queue:${id}`, '--format', 'json']
      return JSON.parse((await asAda('history', ...asked)).stdout) as unknown
    }
    await expect.poll(mine).toMatchObject([{ name: 'shared', status: 'success' }])
    const theirs = await box.jobmeter(['history', '--format', 'json', '--db', as('bob')])
    expect(JSON.parse(theirs.stdout)).toEqual([])
  }, 60_000)

  it('say who may end a job, and drop what the team keeps', async () => {
    using box = sandbox()
    const { stdout } = await box.jobmeter(['submit', '--db', as('ada'), '--', 'true'])
    const id = stdout.trim()
    const cancel = (user: string, ...words: string[]) =>
      box.jobmeter(['cancel', id, '--db', as(user), ...words])
    const refused = await cancel('viewer')
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('this role may see the job and not end it: that may ada')
    expect(refused.stderr).not.toContain('asked to end')
    const inJson = await cancel('viewer', '--format', 'json')
    expect(inJson.code).toBe(1)
    expect(JSON.parse(inJson.stdout)).toMatchObject([
      { id, state: 'queued', error: expect.stringContaining('this role may see the job') },
    ])
    expect(await cancel('ada')).toMatchObject({ code: 0 })
    const pruned = await box.jobmeter(['prune', '--older-than', '1d', '--db', as('ada')])
    expect(pruned).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('only administrators (members of jobmeter_admin)'),
    })
    const logs = await box.jobmeter(['logs', 'zzzz'])
    expect(logs.stderr).toContain('jobmeter queue list')
  }, 60_000)

  it('tell a job that is cancelled before its second attempt from one that never began', async () => {
    using box = sandbox()
    using there = sandbox()
    const begun = there.path('begun')
    await there.shell(`echo "users: [ada]" > worker.yaml`)
    const worker = startWorker(as('node'), there.directory, '--config', there.path('worker.yaml'))
    const job = ['--', 'sh', '-c', `echo once > ${begun}; exec sleep 300`]
    const { stdout } = await box.jobmeter(['submit', '--db', as('ada'), ...job])
    const id = stdout.trim()
    const asAda = (...words: string[]) => box.jobmeter([...words, '--db', as('ada')])
    await expect.poll(() => existsSync(begun), { timeout: 60_000 }).toBe(true)
    // Twice, once the first was heard: the second ends its jobs.
    worker.kill('SIGTERM')
    const draining = async () => (await asAda('queue', 'status', '--format', 'json')).stdout
    await expect.poll(draining, { timeout: 60_000 }).toContain('"draining"')
    worker.kill('SIGTERM')
    await worker.hasEnded
    expect(await asAda('cancel', id)).toMatchObject({ code: 0 })
    const waited = await asAda('wait', id, '--format', 'json')
    expect(waited.code).toBe(130)
    expect(JSON.parse(waited.stdout)).toMatchObject([
      {
        state: 'cancelled',
        exit_code: null,
        reason: 'cancelled before it began again',
        attempts: 1,
      },
    ])
  }, 90_000)

  it('show and change the shares of users', async () => {
    using box = sandbox()
    const share = (...words: string[]) => box.jobmeter(['queue', 'share', '--db', root, ...words])
    expect((await share()).stdout).toBe('All users have the same share of the queue.\n')
    expect((await share('ada', '2.5')).stdout).toMatch(/^User +Weight\nada +2\.5\n$/)
    const { stdout } = await share('--format', 'json')
    expect(JSON.parse(stdout)).toEqual([{ user: 'ada', weight: 2.5 }])
    expect(JSON.parse((await share('bob', '--format', 'json')).stdout)).toEqual([
      { user: 'bob', weight: 1 },
    ])
    for (const wrong of ['0', 'much', '-1'])
      expect(await share('ada', '--', wrong)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('a weight is a number above 0'),
      })
    await share('ada', '1')
    expect((await share()).stdout).toBe('All users have the same share of the queue.\n')
    const refused = await box.jobmeter(['queue', 'share', 'ada', '9', '--db', as('ada')])
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('only administrators change the queue itself'),
    })
  }, 60_000)

  it('say what to do where the queue cannot be used', async () => {
    using box = sandbox()
    await postgres.database('empty')
    for (const [address, words] of [
      ['postgres://ada@127.0.0.1:1/jobs', 'cannot be reached'],
      ['postgres://ada@127.0.0.1:1/jobs', 'See whether PostgreSQL runs there'],
      [postgres.address('empty'), 'jobmeter team init'],
      [postgres.address('none'), 'Check its name in the address'],
    ] as const)
      for (const command of [
        ['queue', 'status', '--db', address],
        ['submit', '--db', address, '--', 'true'],
        // A worker waits for a server that is not there.
        ...(address.includes(':1/') ? [] : [['worker', '--db', address]]),
      ]) {
        const { code, stderr } = await box.jobmeter(command)
        expect(code, command.join(' ')).toBe(1)
        expect(stderr).toContain(words)
      }
    for (const command of [
      ['queue', 'pause', '--db', as('ada')],
      ['submit', '--db', as('bob'), '--', 'true'],
      ['worker', '--db', as('bob')],
      ['worker', '--db', as('ada')],
    ]) {
      const { code, stderr } = await box.jobmeter(command, { timeoutMs: 30_000 })
      expect(code, command.join(' ')).toBe(1)
      expect(stderr).toContain('An administrator grants it jobmeter_writer to submit jobs')
    }
  }, 120_000)
})
