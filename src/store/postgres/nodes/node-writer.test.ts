import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nodeJob, nodeRound } from '../../../../test/node/made-round.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../../../../test/postgres.ts'
import type { NodeQuestions } from '../../node/node-questions.ts'
import { openNodeStore, type NodeStore } from '../../node/open-node.ts'
import { openNodeSending, type NodeSending } from '../../node/sending/node-sending.ts'
import { Database } from '../connection.ts'
import { migrate } from '../migrate.ts'
import { enrolNode, NodeWriter } from './node-writer.ts'
import { nodesOfTeam } from './team-nodes.ts'

const hour = 3600
const day = 24 * hour
const everything = { by: ['account'], metric: 'cpu', from: 0, to: 4e9, offsets: [] } as const
const slurm = { kind: 'slurm', account: null } as const
const word = {
  kind: 'slurm',
  id: '7',
  user: 'ada',
  account: 'physics',
  reservation: null,
  scheduled: { name: 'late', shownId: null, restarts: null },
} as const

describe.skipIf(whyNoPostgres() !== undefined)('what an agent sends to a team', () => {
  let postgres: Postgres
  let name = ''
  let folder = ''
  let made = 0
  let store: NodeStore
  let sending: NodeSending
  let sender: Database
  let server: Database
  let nodes: NodeQuestions
  const now = Math.floor(Date.now() / 1000 / hour) * hour

  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
  })
  afterAll(() => postgres.stop())
  const as = (user: string) => new Database({ connectionString: postgres.address(name, user) })
  beforeEach(async () => {
    made += 1
    name = `nodes${made}`
    folder = mkdtempSync(join(tmpdir(), 'jobmeter-test-'))
    const root = new Database({ connectionString: await postgres.database(name) })
    await migrate(root)
    if (made === 1)
      await root.run(`
        CREATE ROLE node1 LOGIN IN ROLE jobmeter_node;
        CREATE ROLE node2 LOGIN IN ROLE jobmeter_node;
        CREATE ROLE web LOGIN IN ROLE jobmeter_server;
        CREATE ROLE ada LOGIN IN ROLE jobmeter_reader;
        CREATE ROLE bob LOGIN IN ROLE jobmeter_reader, jobmeter_writer`)
    await root.close()
    store = openNodeStore(join(folder, 'node.db'))
    sending = openNodeSending(store.path)
    sending.begin(() => `database ${made}`)
    sender = as('node1')
    server = as('web')
    nodes = nodesOfTeam(server, null, 'postgres://team')
  })
  afterEach(async () => {
    sending.close()
    store.close()
    await Promise.all([sender.close(), server.close()])
    rmSync(folder, { recursive: true })
  })

  const writerOf = async (database: Database, databaseId = `database ${made}`) => {
    const source = { databaseId, host: 'node01', path: store.path, version: 'test' }
    return new NodeWriter(database, (await enrolNode(database, source))?.sourceId ?? -1)
  }

  async function sendAll(): Promise<void> {
    const writer = await writerOf(sender)
    for (let next = sending.next(); next !== undefined; next = sending.next()) {
      await writer.send(next.batch, sending.unsent())
      sending.arrived(next)
    }
  }

  it('is there as it is, whatever changed since it was last sent', async () => {
    store.addRound(nodeRound(now + 60, [nodeJob('7', 'ada', 9, slurm), nodeJob('8', 'bob', 5)]))
    await sendAll()
    expect(sending.unsent()).toBe(0)
    // The account of a job is learnt when it is over: its use goes from one row to another.
    store.addRound(nodeRound(now + 120, [], { late: [word] }))
    expect(sending.unsent()).toBeGreaterThan(0)
    await sendAll()
    expect(await nodes.usage(everything)).toEqual(store.reader.usage(everything))
    expect(await nodes.jobs({ users: ['ada'] })).toMatchObject([
      { account: 'physics', scheduled: { name: 'late' }, isRunning: false },
    ])
    const finding = {
      policy: 'greedy',
      severity: 'warning',
      subject: { host: 'node01', user: 'bob', account: null, job: null },
      firstSeen: now,
      lastSeen: now + 60,
      heldSeconds: 60,
      text: 'bob is',
      suppressedBecause: null,
    } as const
    store.violations.keep({ host: 'node01', at: now + 60, findings: [finding], ended: [] })
    await sendAll()
    expect(await nodes.violations({})).toMatchObject([{ text: 'bob is' }])
    store.violations.replace('node01', { from: now - day, to: now + day }, [], new Map())
    await sendAll()
    expect(await nodes.violations({})).toEqual([])
  })

  it('stays marked until it has arrived, and is the same when it arrives twice', async () => {
    store.addRound(nodeRound(now + 60, [nodeJob('7', 'ada', 9)]))
    const lost = sending.next()
    expect(lost).toBeDefined()
    const writer = await writerOf(sender)
    if (lost !== undefined) await writer.send(lost.batch, 0)
    // Whoever sent it was killed before it heard that it had arrived, and a round came meanwhile.
    store.addRound(nodeRound(now + 120, [nodeJob('7', 'ada', 1)]))
    await sendAll()
    expect(await nodes.usage(everything)).toEqual(store.reader.usage(everything))
    expect((await nodes.stretches(0, 4e9)).map(({ rounds }) => rounds)).toEqual([2])
  })

  it('misses nothing that is written while it is being sent', async () => {
    store.addRound(nodeRound(now + 60, [nodeJob('7', 'ada', 9)]))
    const first = sending.next()
    store.addRound(nodeRound(now + 120, [nodeJob('7', 'ada', 1)]))
    const writer = await writerOf(sender)
    if (first === undefined) throw new Error('there is something')
    await writer.send(first.batch, 0)
    sending.arrived(first)
    expect(sending.unsent()).toBeGreaterThan(0)
    await sendAll()
    expect(await nodes.usage(everything)).toEqual(store.reader.usage(everything))
  })

  it('adds up as at home, in whatever portions and however often a portion is lost', async () => {
    const steps = fc.array(
      fc.record({
        host: fc.constantFrom('node01', 'node02'),
        user: fc.constantFrom('ada', 'bob'),
        cpuSeconds: fc.integer({ min: 0, max: 60 }),
        sends: fc.constantFrom('nothing', 'and is heard', 'and is killed'),
        pauseSeconds: fc.constantFrom(60, hour),
        sumsUp: fc.boolean(),
      }),
      { minLength: 5, maxLength: 15 },
    )
    const writer = await writerOf(sender)
    let at = now - 5 * day
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        for (const { host, user, cpuSeconds, sends, pauseSeconds, sumsUp } of taken) {
          at += pauseSeconds
          if (sumsUp) await sender.rows('SELECT fold_usage()')
          store.addRound(nodeRound(at, [nodeJob(user, user, cpuSeconds)], { host }))
          const next = sends === 'nothing' ? undefined : sending.next()
          if (next === undefined) continue
          await writer.send(next.batch, 0)
          if (sends === 'and is heard') sending.arrived(next)
        }
        await sendAll()
        for (const by of [
          ['user', 'host', 'hour'],
          ['user', 'hour-of-week'],
        ] as const) {
          const query = { ...everything, by }
          expect(await nodes.usage(query)).toEqual(store.reader.usage(query))
        }
        expect(await nodes.stretches(0, 4e9)).toEqual(store.reader.stretches(0, 4e9))
      }),
      { numRuns: 8 },
    )
  })

  it('is summed up by hour and user, and never shown otherwise than it is', async () => {
    const byHour = { ...everything, by: ['user', 'hour-of-week'] } as const
    for (const [host, age] of [
      ['node01', 2 * day],
      ['node02', 2 * day],
      ['node01', 0],
    ] as const)
      store.addRound(nodeRound(now - age + 60, [nodeJob('7', 'ada', 9)], { host }))
    await sendAll()
    const root = as('postgres')
    const sums = () => root.rows('SELECT cpu_us FROM node_usage_user_hour')
    const [folded] = await sender.rows('SELECT fold_usage() AS hours')
    // What may still come without a note is not summed up yet.
    expect(folded).toEqual({ hours: 1 })
    expect(await sums()).toEqual([{ cpu_us: 18e6 }])
    expect(await nodes.usage(byHour)).toEqual(store.reader.usage(byHour))
    // Somebody changes the hour while it is being summed up by one who cannot see that yet.
    await root.transaction(async (_, statements) => {
      await statements.run(
        'UPDATE node_usage_hour SET cpu_us = cpu_us + 1e6 WHERE at_ms < ? AND host_id = 1',
        [(now - day) * 1000],
      )
      await sender.rows('SELECT fold_usage()')
    })
    expect((await nodes.usage(byHour)).total).toBe(28)
    await sender.rows('SELECT fold_usage()')
    expect(await sums()).toEqual([{ cpu_us: 19e6 }])
    expect((await nodes.usage(byHour)).total).toBe(28)
    const others = nodesOfTeam(server, { users: ['bob'] }, 'postgres://team')
    expect((await others.usage({ ...everything, by: ['user'] })).rows).toMatchObject([
      { keys: ['others'], amount: 28 },
    ])
    await root.close()
  })

  it('is refused where the host is sent by somebody else, who keeps what they sent', async () => {
    store.addRound(nodeRound(now + 60, [nodeJob('7', 'ada', 9)]))
    await sendAll()
    const other = as('node2')
    const forged = openNodeStore(join(folder, 'forged.db'))
    forged.addRound(nodeRound(now + 60, [nodeJob('7', 'ada', 999)]))
    forged.addRound(nodeRound(now + 60, [nodeJob('7', 'ada', 1)], { host: 'node02' }))
    forged.close()
    const theirs = openNodeSending(join(folder, 'forged.db'))
    theirs.begin(() => 'forged')
    const writer = await writerOf(other, 'forged')
    const refused = new Set<string>()
    for (let next = theirs.next(); next !== undefined; next = theirs.next(refused)) {
      const hosts = await writer.send(next.batch, 0)
      theirs.arrived(next, hosts)
      for (const host of hosts) refused.add(host)
    }
    expect([...refused]).toEqual(['node01'])
    expect(theirs.unsent()).toBeGreaterThan(0)
    theirs.close()
    expect((await nodes.usage({ ...everything, by: ['host'] })).rows).toMatchObject([
      { keys: ['node01'], amount: 9 },
      { keys: ['node02'], amount: 1 },
    ])
    const [job] = await nodes.jobs({ hosts: ['node01'] })
    await expect(
      other.run(
        `INSERT INTO node_job_raw (job_id, at_ms, host_id, span_ms)
         SELECT ?, at_ms, host_id, span_ms FROM node_job_raw LIMIT 1`,
        [job?.rowId ?? 0],
      ),
    ).rejects.toThrow('row-level security')
    await expect(
      other.run("UPDATE node_job SET kind = 'nonsense'"),
      'an unknown kind would keep all others from being listed',
    ).rejects.toThrow('kind_known')
    await expect(other.run('DELETE FROM node_job')).resolves.toBe(1)
    expect(await nodes.jobs({})).toMatchObject([{ host: 'node01' }])
    await other.close()
  })

  it('comes from machines, and not from people', async () => {
    const bob = as('bob')
    const denied = (asked: string) => expect(bob.rows(asked)).rejects.toThrow('permission denied')
    await denied("SELECT node_hosts('{node18}')")
    await denied("SELECT node_users('{ada}')")
    await denied('SELECT make_node_parts(0, 1)')
    await denied(
      "INSERT INTO node_source (database_id, host, path, version) VALUES ('', '', '', '')",
    )
    await denied('INSERT INTO node_job (id) VALUES (1)')
    await denied('SELECT fold_usage()')
    await bob.close()
  })

  it('is dropped in whole parts when it is too old', async () => {
    for (const age of [400 * day, 40 * day, 2 * day])
      store.addRound(nodeRound(now - age + 60, [nodeJob('7', 'ada', 9)]))
    await sendAll()
    const oldest = async () => (await nodes.stretches(0, 4e9)).map(({ from }) => from)
    // Single rounds of a fortnight, five minutes of 90 days and hours of two years are kept.
    expect(await oldest()).toHaveLength(3)
    const curve = (age: number) =>
      nodes.hostCurve({ host: 'node01', from: now - age - hour, to: now - age + hour })
    const kinds = await Promise.all([400 * day, 40 * day, 2 * day].map(curve))
    expect(kinds.map(({ kind }) => kind)).toEqual(['hours', 'five minutes', 'rounds'])
    const root = as('postgres')
    await root.run("UPDATE node_retention SET days = 200 WHERE kind = 'hours'")
    const [row] = await sender.rows('SELECT drop_node_expired() AS dropped')
    expect(Number(row?.['dropped'])).toBeGreaterThanOrEqual(4)
    expect(await oldest()).toHaveLength(2)
    await expect(sender.run('UPDATE node_retention SET days = 1')).rejects.toThrow('denied')
    await root.close()
  })

  it('is shown to who connects as far as it is theirs, and no table is', async () => {
    store.addRound(nodeRound(now + 60, [nodeJob('7', 'ada', 9), nodeJob('8', 'bob', 5)]))
    await sendAll()
    const ada = as('ada')
    const own = nodesOfTeam(ada, null, 'postgres://team')
    expect((await own.jobs({})).map(({ user }) => user)).toEqual(['ada'])
    const rows = (await own.usage({ ...everything, by: ['user'] })).rows
    expect(rows).toMatchObject([
      { keys: ['ada'], amount: 9 },
      { keys: ['others'], amount: 5 },
    ])
    // What a server says for others, nobody else can say for themselves.
    const posing = nodesOfTeam(ada, { users: ['bob'] }, 'postgres://team')
    expect((await posing.jobs({})).map(({ user }) => user)).toEqual(['ada'])
    for (const table of ['node_job', 'node_user', 'node_usage_hour', 'node_round'])
      await expect(ada.rows(`SELECT * FROM ${table}`)).rejects.toThrow('permission denied')
    await ada.close()
  })
})
