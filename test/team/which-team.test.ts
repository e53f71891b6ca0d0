import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox } from '../program.ts'
import { teamDatabase } from '../queue/team.ts'

describe.skipIf(whyNoPostgres() !== undefined)('the team that is meant', () => {
  let postgres: Postgres
  let [joined, named] = ['', '']
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
    joined = await teamDatabase(postgres, 'joined')
    named = await teamDatabase(postgres, 'named')
  }, 60_000)
  afterAll(() => postgres.stop())

  it('is that of JOBMETER_TEAM for all commands, else the one that was joined', async () => {
    using box = sandbox()
    const env = { JOBMETER_TEAM: named }
    const ask = (...words: string[]) => box.jobmeter(words, { env })
    await box.run(['--name', 'of_named', '--', 'true'])
    expect(await ask('sync')).toMatchObject({ code: 0 })
    expect(await box.jobmeter(['team', 'join', joined])).toMatchObject({ code: 0 })
    expect((await ask('team', 'status')).stdout).toContain(named)
    expect((await box.jobmeter(['team', 'status'])).stdout).toContain(joined)
    const questions = ['history', 'job-stats', 'team retention', 'queue list', 'ps']
    expect((await ask('history', '--db', 'team')).stdout).toContain('of_named')
    expect((await box.jobmeter(['history', '--db', 'team'])).stdout).not.toContain('of_named')
    expect(await ask('queue', 'list', '--db', 'team')).toMatchObject({ code: 0 })
    for (const question of questions) {
      const words = [
        ...question.split(' '),
        ...(question.startsWith('team') ? [] : ['--db', 'team']),
      ]
      const nowhere = { JOBMETER_TEAM: 'postgres://postgres@127.0.0.1:1/nowhere' }
      const { stderr } = await box.jobmeter(words, { env: nowhere })
      expect(stderr, question).toContain('postgres://postgres@127.0.0.1:1/nowhere')
      const wrong = await box.jobmeter(words, { env: { JOBMETER_TEAM: 'ledger.db' } })
      expect(wrong, question).toMatchObject({ code: 2 })
      expect(wrong.stderr).toContain('$JOBMETER_TEAM names ledger.db')
    }
    expect(await ask('team', 'leave')).toMatchObject({ stdout: expect.stringContaining(joined) })
  }, 60_000)

  it('keeps nobody waiting who has a record here, though it never answers', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    using box = sandbox()
    const ofQueue = ['--tag', `queue:${'a'.repeat(32)}`]
    const { record } = await box.run([...ofQueue, '--', 'true'])
    const env = { JOBMETER_TEAM: `postgres://ada@127.0.0.1:${port}/jobs` }
    const asked = Date.now()
    const shown = await box.jobmeter(['show', record.task_id], { env })
    const seconds = (Date.now() - asked) / 1000
    server.close()
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining(record.task_id) })
    expect(shown.stderr).toContain('what follows is what this ledger has')
    expect(seconds).toBeLessThan(6)
  }, 60_000)
})
