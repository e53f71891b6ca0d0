import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { jobKinds } from '../../model/node-round.ts'
import { usageKeys, usageMetrics } from '../../model/node-usage.ts'
import {
  anyQuestion,
  askedAround,
  askedOf,
  askedUsers,
  pidOf,
} from '../../../test/contracts/any-node-question.ts'
import { nodeJob, nodeRound } from '../../../test/node/made-round.ts'
import { HistoryBatch } from './history/history-batch.ts'
import { openNodeHistory } from './history/open-history.ts'
import type { NodeReader } from './node-reader.ts'
import { openNodeReader, openNodeStore } from './open-node.ts'
import { answerTo, asQuestion, questionNames } from './questions.ts'
import { showOnly } from './viewer.ts'

let folder = ''
let path = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-test-'))
  path = join(folder, 'node.db')
})
afterEach(() => rmSync(folder, { recursive: true }))

const start = askedAround
function fill(): void {
  const store = openNodeStore(path)
  const made = fc.sample(
    fc.record({
      user: fc.constantFrom(...askedUsers),
      kind: fc.constantFrom(...jobKinds),
      number: fc.integer({ min: 1, max: 3 }),
      cpuSeconds: fc.integer({ min: 0, max: 60 }),
    }),
    120,
  )
  for (let at = 0; at < 30; at += 1) {
    const jobs = made.slice(4 * at, 4 * at + 4).map(({ user, kind, number, cpuSeconds }, place) =>
      nodeJob(`${user}-${number}-${place}`, user, cpuSeconds, {
        kind,
        command: `${user}-program-${number}`,
        account: `${user}-account`,
        pid: pidOf(user),
      }),
    )
    store.addRound(nodeRound(start + 900 * (at + 1), jobs, { host: `node${at % 2}` }))
  }
  store.close()
}

const lateRound = { account: null, kind: 'slurm' } as const

/** A round without an account, and a word on it after the job is over. */
function learnLate(): void {
  const store = openNodeStore(path)
  const jobs = [nodeJob('7', 'ada', 9, lateRound), nodeJob('8', 'bob', 9, lateRound)]
  store.addRound(nodeRound(start + 60, jobs))
  const scheduled = { name: null, shownId: null, restarts: null }
  const word = { kind: 'slurm', id: '7', user: 'ada', account: 'physics', scheduled } as const
  store.addRound(nodeRound(start + 120, [], { late: [{ ...word, reservation: null }] }))
  store.close()
}

/** Samples of Sonar first, and what Slurm's account says of the job afterwards. */
function learnLateFromSlurm(): void {
  const history = openNodeHistory(path)
  const batch = new HistoryBatch({ rawMs: 0, fiveMs: 0 })
  const { node, ...round } = nodeRound(start + 60, [])
  const jobs = ['ada', 'bob'].map((user, at) => ({
    ...nodeJob(String(7 + at), user, 9, lateRound),
    epoch: '0',
  }))
  batch.add({ ...round, node, jobs })
  history.commit(batch, [])
  const reservation = { cpus: 1, memoryBytes: null, gpus: null, runtimeSeconds: null } as const
  history.addSlurmJobs([
    {
      id: '7',
      user: 'ada',
      account: 'physics',
      name: 'late',
      hosts: ['node01'],
      startedAt: start,
      endedAt: start + 60,
      cpuSeconds: 9,
      memoryPeakBytes: null,
      reservation: { ...reservation, source: 'slurm' },
    },
  ])
  history.close()
}

function answer(reader: NodeReader, sent: unknown): unknown {
  const question = asQuestion(sent)
  if (question === undefined) throw new Error(`not a question: ${JSON.stringify(sent)}`)
  return answerTo(reader, question)
}

describe('who may see only what is theirs', () => {
  it('is told nothing of others, whatever is asked', () => {
    fill()
    const everything = openNodeReader(path)
    const ofAda = openNodeReader(path, { users: ['ada'] })
    expect(JSON.stringify(everything.jobs({}))).toMatch(/bob-account.*bob-program/)
    expect([...askedOf].toSorted()).toEqual(questionNames.toSorted())
    fc.assert(
      fc.property(anyQuestion, (question) => {
        const told = JSON.stringify(answer(ofAda, question))
        expect(told).not.toMatch(/bob|cyd|70000[12]/)
      }),
      { numRuns: 400 },
    )
    for (const reader of [everything, ofAda]) reader.close()
  })

  it('is told the same of own jobs as who sees everything', () => {
    fill()
    const everything = openNodeReader(path)
    const ofAda = openNodeReader(path, { users: ['ada'] })
    const own = everything.jobs({ users: ['ada'] })
    const others = everything.jobs({ users: ['bob', 'cyd'] })
    for (const job of own) expect(ofAda.series(job)).toEqual(everything.series(job))
    for (const job of others) {
      expect(everything.series(job).rounds).not.toEqual([])
      expect(ofAda.series(job).rounds).toEqual([])
    }
    expect(own.length).toBeGreaterThan(3)
    expect(ofAda.jobs({})).toEqual(own)
    for (const reader of [everything, ofAda]) reader.close()
  })

  it('is told sums that add up to the node’s, with the rest as of others', () => {
    fill()
    const everything = openNodeReader(path)
    const ofAda = openNodeReader(path, { users: ['ada'] })
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...usageKeys), { maxLength: 4 }),
        fc.constantFrom(...usageMetrics),
        (by, metric) => {
          const query = { by, metric, from: 0, to: 4e9, offsets: [] }
          const [all, seen] = [everything.usage(query), ofAda.usage(query)]
          expect(seen.total).toBe(all.total)
          expect(seen.capacity).toBe(all.capacity)
        },
      ),
      { numRuns: 60 },
    )
    const query = { by: ['user'], metric: 'cpu', from: 0, to: 4e9, offsets: [] } as const
    const rows = new Map(ofAda.usage(query).rows.map(({ keys, amount }) => [keys[0], amount ?? 0]))
    expect([...rows.keys()].map(String).toSorted()).toEqual(['ada', 'others'])
    expect(rows.get('ada')).toBe(everything.usage({ ...query, users: ['ada'] }).total)
    for (const reader of [everything, ofAda]) reader.close()
  })

  it.each([
    'SELECT * FROM main.job',
    'SELECT * FROM main.user',
    'SELECT * FROM sqlite_schema',
    'SELECT * FROM viewer',
    'WITH mine AS (SELECT * FROM main.command) SELECT * FROM mine',
    'SELECT (SELECT name FROM main.user LIMIT 1) FROM job',
    'DROP VIEW temp.job',
    'INSERT INTO viewer VALUES (2)',
    `ATTACH '/etc/passwd' AS other`,
    'PRAGMA table_info(job)',
  ])('is refused by SQLite: %s', (sql) => {
    fill()
    using database = new DatabaseSync(path, { readOnly: true })
    showOnly(database, { users: ['ada'] })
    expect(() => database.prepare(sql).all()).toThrow(/not authorized|prohibited|no such table/)
  })

  it('sees only own rows of a table that nobody thought of', () => {
    fill()
    const writer = new DatabaseSync(path)
    writer.exec(`CREATE TABLE of_user (user_id INTEGER, word TEXT);
      INSERT INTO of_user SELECT id, name FROM user;
      CREATE TABLE of_job (job_id INTEGER, word TEXT);
      INSERT INTO of_job SELECT job.id, user.name FROM job JOIN user ON user.id = user_id;
      CREATE TABLE of_nobody (word TEXT); INSERT INTO of_nobody SELECT name FROM user`)
    writer.close()
    using database = new DatabaseSync(path, { readOnly: true })
    showOnly(database, { users: ['ada'] })
    const words = (table: string): unknown[] =>
      database.prepare(`SELECT DISTINCT word FROM ${table}`).all()
    expect(words('of_user')).toEqual([{ word: 'ada' }])
    expect(words('of_job')).toEqual([{ word: 'ada' }])
    expect(words('of_nobody')).toEqual([])
  })

  it.each(['the agent', 'an import'])('sees a job whose account is learnt late, by %s', (by) => {
    if (by === 'the agent') learnLate()
    else learnLateFromSlurm()
    using everything = disposable(openNodeReader(path))
    using ofAda = disposable(openNodeReader(path, { users: ['ada'] }))
    const own = everything.jobs({ users: ['ada'] })
    expect(own).toMatchObject([{ id: '7', account: 'physics' }])
    expect(ofAda.jobs({})).toEqual(own)
    const query = { by: ['account'], metric: 'cpu', from: 0, to: 4e9, offsets: [] } as const
    const accounts = ofAda.usage(query).rows.map(({ keys }) => String(keys[0]))
    expect(accounts.toSorted()).toEqual(['others', 'physics'])
  })

  it('sees what policies found on them, though all of their jobs have an account', () => {
    fill()
    const store = openNodeStore(path)
    const [first, second] = ['ada', 'bob'].map((user) => ({
      policy: 'cpuhog',
      severity: 'warning' as const,
      subject: { host: 'node0', user, account: null, job: null },
      firstSeen: start,
      lastSeen: start + 900,
      heldSeconds: 900,
      text: `${user} has it all`,
      suppressedBecause: null,
    }))
    if (first === undefined || second === undefined) throw new Error('two were made')
    store.violations.keep({ host: 'node0', at: start + 900, findings: [first, second], ended: [] })
    store.close()
    using ofAda = disposable(openNodeReader(path, { users: ['ada'] }))
    expect(ofAda.violations({})).toMatchObject([{ text: 'ada has it all' }])
  })

  it('sees sums alone where nothing is theirs', () => {
    fill()
    using reader = disposable(openNodeReader(path, { users: ['dan', '1004'] }))
    expect(reader.jobs({})).toEqual([])
    const query = { by: ['user'], metric: 'cpu', from: 0, to: 4e9, offsets: [] } as const
    expect(reader.usage(query).rows.map(({ keys }) => keys)).toEqual([['others']])
  })
})

const disposable = (reader: NodeReader): NodeReader & Disposable =>
  Object.assign(reader, { [Symbol.dispose]: () => reader.close() })
