import { mkdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeNode } from '../node/made-node.ts'
import { nodeJob, nodeRound } from '../node/made-round.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox, type Sandbox } from '../program.ts'
import { ask, serve } from '../server/served-program.ts'
import { openNodeStore } from '../../src/store/node/open-node.ts'
import { Database } from '../../src/store/postgres/connection.ts'

/** Two weeks of March 2026 (`test/node/made-node.ts`). */
const span = ['--from', '2026-03-23', '--to', '2026-04-06', '--utc']

const days = 'from=2026-03-23&to=2026-04-06&zone=utc'
const paths = [
  '/api/v1/nodes',
  '/api/v1/node-curves?points=20',
  '/api/v1/nodes/gpu01/chart',
  '/api/v1/nodes/node01/uptime',
  '/api/v1/usage?by=command&metric=memory',
  '/api/v1/usage/heat?by=user',
  '/api/v1/reservations',
  '/api/v1/hogs',
]

/** A team numbers jobs by the source that sends them; this is the first one. */
const localRows = (csv: string): string =>
  csv.replaceAll(/^([a-z]+:[^,]*),(\d+),/gm, (_, job: string, row: string) => {
    return `${job},${Number(row) - 2 ** 32},`
  })

describe.skipIf(whyNoPostgres() !== undefined)('what an agent kept, in a team', () => {
  let postgres: Postgres
  let box: Sandbox
  let team = ''
  const succeeds = async (command: readonly string[]): Promise<void> => {
    const { code, stderr } = await box.jobmeter(command)
    if (code !== 0) throw new Error(stderr)
  }
  beforeAll(async () => {
    box = sandbox()
    postgres = await startPostgres('fsync=off')
    const administrator = await postgres.database('jobs')
    makeNode(box.path('node.db'))
    await succeeds(['team', 'init', administrator])
    const database = new Database({ connectionString: administrator })
    await database.run(`
      CREATE ROLE node1 LOGIN IN ROLE jobmeter_node;
      CREATE ROLE node2 LOGIN IN ROLE jobmeter_node;
      CREATE ROLE web LOGIN IN ROLE jobmeter_server;
      CREATE ROLE ada LOGIN IN ROLE jobmeter_reader;
      UPDATE node_retention SET days = 20000`)
    await database.close()
    team = postgres.address('jobs', 'web')
    mkdirSync(box.path('config/jobmeter'), { recursive: true })
    await box.run(['--quiet', '--', 'true'])
    await succeeds(['team', 'join', postgres.address('jobs', 'node1')])
    await succeeds(['sync', '--node-db', box.path('node.db')])
  })
  afterAll(async () => {
    await postgres.stop()
    box[Symbol.dispose]()
  })

  it.each([
    ['ps', ...span],
    ['ps', ...span, '--sort', 'cores', '--format', 'csv'],
    ['ps', ...span, '--user', 'carol', '--command', 'SOLV', '--kind', 'slurm'],
    ['usage', ...span],
    ['usage', ...span, '--by', 'hour-of-week,user', '--metric', 'memory', '--format', 'json'],
    ['usage', ...span, '--heat-map', '--by', 'host'],
    ['nodes', ...span, '--format', 'json'],
    ['uptime', ...span],
    ['hogs', ...span, '--all'],
    ['ps', '--from', '2020-01-01', '--to', '2020-01-02', '--utc'],
  ])('is told as from its file: %s %s %s %s %s %s %s %s', async (...command) => {
    const local = await box.jobmeter([...command, '--db', box.path('node.db')])
    const ofTeam = await box.jobmeter([...command, '--db', team])
    expect(local).toMatchObject({ code: 0 })
    expect({ ...ofTeam, stdout: localRows(ofTeam.stdout) }).toEqual(local)
  })

  it('is sent once, however often', async () => {
    const again = await box.jobmeter(['sync', '--node-db', box.path('node.db')])
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('nothing new of nodes'),
    })
  })

  it('is sent to another team as well', async () => {
    const administrator = await postgres.database('others')
    await succeeds(['team', 'init', administrator])
    const database = new Database({ connectionString: administrator })
    await database.run('UPDATE node_retention SET days = 20000')
    await database.close()
    const ledger = ['--db', box.path('second.db')]
    await succeeds(['run', '--quiet', ...ledger, '--', 'true'])
    await succeeds(['team', 'join', postgres.address('others', 'node1'), ...ledger])
    await succeeds(['sync', '--node-db', box.path('node.db'), ...ledger])
    const command = ['usage', ...span, '--format', 'json']
    const local = await box.jobmeter([...command, '--db', box.path('node.db')])
    const other = await box.jobmeter([...command, '--db', postgres.address('others', 'web')])
    expect(local.stdout).toContain('carol')
    expect(other).toEqual(local)
  })

  it('shows somebody who connects what is theirs, and sums of the rest', async () => {
    const own = postgres.address('jobs', 'ada')
    const jobs = await box.jobmeter(['ps', ...span, '--db', own, '--format', 'json'])
    const users = (JSON.parse(jobs.stdout) as { readonly user: string }[]).map(({ user }) => user)
    expect(new Set(users)).toEqual(new Set(['ada']))
    const usage = await box.jobmeter(['usage', ...span, '--db', own, '--format', 'json'])
    const { rows } = JSON.parse(usage.stdout) as { readonly rows: { readonly user: string }[] }
    expect(rows.map(({ user }) => user).toSorted()).toEqual(['ada', 'others'])
  })

  it('waits where another role sends its host, which is told, until it may be sent', async () => {
    const database = new Database({ connectionString: postgres.address('jobs') })
    const give = (role: string) =>
      database.run("UPDATE node_host SET role = ? WHERE name = 'gpu01'", [role])
    const sent = () =>
      database.rows(
        "SELECT 1 FROM node_job JOIN node_user u ON u.id = user_id WHERE u.name = 'mallory'",
      )
    const sync = () => box.jobmeter(['sync', '--node-db', box.path('node.db')])
    const status = async () => (await box.jobmeter(['team', 'status'])).stdout
    try {
      await sync()
      await give('node2')
      const store = openNodeStore(box.path('node.db'))
      const at = Date.UTC(2026, 3, 7) / 1000
      store.addRound(nodeRound(at, [nodeJob('77', 'mallory', 1)], { host: 'gpu01' }))
      store.close()
      const refused = await sync()
      expect(refused).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('sent nothing of nodes'),
        stderr: expect.stringContaining('another role sends what is of the host gpu01'),
      })
      expect(await sent()).toEqual([])
      expect(await status()).toMatch(/Refused: gpu01 from .*node\.db on .*: another role/)
      await give('node1')
      expect(await sync()).toMatchObject({ code: 0, stderr: '' })
      expect(await sent()).toHaveLength(1)
      expect(await status()).not.toContain('Refused')
    } finally {
      await database.close()
    }
  })

  it('is served as from its file', async () => {
    const read = async (...args: readonly string[]): Promise<unknown[]> => {
      const served = await serve(box, undefined, ['--log', 'off', ...args])
      const headers = { host: served.host, authorization: `Bearer ${served.token}` }
      const answers: unknown[] = []
      for (const path of paths) {
        const answer = await ask(served.port, `${path}${path.includes('?') ? '&' : '?'}${days}`, {
          headers,
        })
        answers.push([path, answer.status, answer.json()])
      }
      served.running.signal('SIGTERM')
      await served.running.ended
      return answers
    }
    const local = await read('--node-db', box.path('node.db'))
    expect(await read('--db', team)).toEqual(local)
    expect(JSON.stringify(local)).toContain('jupyter-lab')
  })

  /** So many rounds of the host that this is has the team. */
  async function roundsSent(): Promise<number> {
    const database = new Database({ connectionString: postgres.address('jobs') })
    try {
      const [row] = await database.rows(
        `SELECT count(*) AS rounds FROM node_round JOIN node_host ON id = host_id
         WHERE name NOT IN ('node01', 'gpu01')`,
      )
      return Number(row?.['rounds'])
    } finally {
      await database.close()
    }
  }

  it('is sent by the agent itself, whose rounds go on while the team is away', async () => {
    const agent = box.start([
      'agent',
      '--interval',
      '0.5s',
      '--verbose',
      '--db',
      box.path('own.db'),
    ])
    await agent.saw('round 2:')
    await expect.poll(roundsSent, { timeout: 30_000 }).toBeGreaterThan(1)
    process.kill(postgres.pid, 'SIGKILL')
    const before = roundsIn(await agent.saw('round 3:'))
    await agent.saw(`round ${before + 4}:`)
    await postgres.restart()
    const whileAway = before + 4
    await expect
      .poll(roundsSent, { timeout: 60_000, interval: 500 })
      .toBeGreaterThanOrEqual(whileAway)
    agent.signal('SIGTERM')
    expect(await agent.ended).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('team'),
    })
    const database = new Database({ connectionString: postgres.address('jobs') })
    await database.run("UPDATE node_host SET role = 'node2' WHERE name NOT IN ('node01', 'gpu01')")
    await database.close()
    const refused = box.start(['agent', '--interval', '0.5s', '--db', box.path('own.db')])
    await refused.saw('another role sends what is of the host')
    refused.signal('SIGTERM')
    expect(await refused.ended).toMatchObject({ code: 0 })
  })
})

const roundsIn = (said: string): number => said.match(/^round /gm)?.length ?? 0
