import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Database } from '../../src/store/postgres/connection.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox, type Sandbox } from '../program.ts'
import { teamDatabase } from '../queue/team.ts'
import { ask, cookieFor, serve } from '../server/served-program.ts'

const asksForIt =
  'refuses the user or the password (it asks for a password, and none was given). Give'

describe.skipIf(whyNoPostgres() !== undefined)('a team that asks for passwords', () => {
  let postgres: Postgres
  let address = ''
  const rules = mkdtempSync(join(tmpdir(), 'jm-hba-'))
  beforeAll(async () => {
    const file = join(rules, 'pg_hba.conf')
    const lines = ['host all postgres all trust', 'host all all all scram-sha-256']
    writeFileSync(file, `${lines.join('\n')}\n`)
    chmodSync(rules, 0o755)
    postgres = await startPostgres('fsync=off', `hba_file=${file}`)
    const database = new Database({ connectionString: await teamDatabase(postgres, 'jobs') })
    await database.run(
      "CREATE ROLE ada LOGIN PASSWORD 'se:c\\ret' IN ROLE jobmeter_writer, jobmeter_reader",
    )
    await database.close()
    address = postgres.address('jobs', 'ada')
  }, 60_000)
  afterAll(async () => {
    await postgres.stop()
    rmSync(rules, { recursive: true })
  })

  it('is asked for nothing without one, and says what is missing', async () => {
    using box = sandbox()
    const ofQueue = ['--tag', `queue:${'a'.repeat(32)}`]
    const { record } = await box.run([...ofQueue, '--', 'true'])
    for (const command of [
      ['submit', '--', 'true'],
      ['queue', 'status'],
      ['queue', 'list'],
      ['wait', '3f8a21b2'],
      ['logs', '3f8a21b2'],
      ['cancel', '3f8a21b2'],
      ['worker'],
      ['history', '--db', 'team'],
      ['team', 'status'],
      ['sync'],
    ]) {
      const { code, stderr } = await box.jobmeter(command, { env: { JOBMETER_TEAM: address } })
      expect(stderr, command.join(' ')).toContain(asksForIt)
      expect(code, command.join(' ')).toBe(1)
    }
    // What is here is shown all the same.
    const shown = await box.jobmeter(['show', record.task_id], {
      env: { JOBMETER_TEAM: address },
    })
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining(record.task_id) })
    expect(shown.stderr).toContain(asksForIt)
  }, 60_000)

  const withFile = (box: Sandbox, text: string, mode = 0o600) => {
    writeFileSync(box.path('passwords'), text)
    chmodSync(box.path('passwords'), mode)
    return { PGPASSFILE: box.path('passwords') }
  }

  it('is served without one, and whoever serves it hears at once why nothing is answered', async () => {
    using box = sandbox()
    const served = await serve(box, undefined, ['--db', address])
    try {
      await served.running.saw(asksForIt)
      const cookie = await cookieFor(served)
      const answer = await ask(served.port, '/api/v1/jobs', { headers: { cookie } })
      expect(answer.status).toBe(503)
      expect(await ask(served.port, '/readyz')).toMatchObject({ status: 503 })
    } finally {
      served.running.signal('SIGTERM')
    }
    const { stderr } = await served.running.ended
    const logged = stderr.split('\n').filter((line) => line.includes('"status":503'))
    expect(logged).toHaveLength(2)
    for (const line of logged)
      expect(JSON.parse(line)).toMatchObject({ reason: expect.stringContaining(asksForIt) })
  }, 60_000)

  it('is asked without warnings of what Node or a package will not have for ever', async () => {
    using box = sandbox()
    writeFileSync(
      box.path('warn.cjs'),
      `setImmediate(() => process.emitWarning('on its way out', 'DeprecationWarning'))`,
    )
    const env = { PGPASSWORD: 'se:c\\ret', NODE_OPTIONS: `--require ${box.path('warn.cjs')}` }
    const asked = await box.jobmeter(['queue', 'list', '--db', address], { env })
    expect(asked).toMatchObject({ code: 0, stderr: '' })
  }, 60_000)

  it('is asked with what is in ~/.pgpass, by the rules of libpq and without a word', async () => {
    using box = sandbox()
    const password = 'se\\:c\\\\ret'
    for (const text of [
      `127.0.0.1:${postgres.port}:jobs:ada:${password}\n`,
      `# mine\n\n*:*:*:bob:wrong\r\n*:*:j\\obs:ada:${password}`,
      `*:*:*:ada:se:c\\\\ret`,
      `*:*:*:*:wrong\n*:*:*:ada:${password}\n`,
      `*:*:*:ada:\n*:*:*:ada:${password}\n`,
      `*:*:*:ada:${password}:and more\n`,
      `127.0.0.1:1:*:*:${password}\n`,
      `localhost:*:*:*:${password}\n`,
    ]) {
      const env = withFile(box, text)
      const psql = spawnSync('psql', ['-w', '-d', address, '-c', 'SELECT 1'], {
        env: { ...process.env, ...env },
      })
      const asked = await box.jobmeter(['queue', 'list', '--db', address], { env })
      const isLetIn = asked.code === 0
      expect({ isLetIn, warnings: isLetIn ? asked.stderr : '' }, text).toEqual({
        isLetIn: psql.status === 0,
        warnings: '',
      })
    }
    const open = withFile(box, `*:*:*:*:${password}\n`, 0o644)
    const refused = await box.jobmeter(['history', '--db', address], { env: open })
    expect(refused.stderr).toContain('others can read it: run chmod 600 on it')
  }, 60_000)
})
