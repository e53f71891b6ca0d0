import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { someEnd, someSamples, someStart } from '../../../test/contracts/attempts.ts'
import { someWorkflow } from '../../../test/contracts/workflows.ts'
import { startPostgres, whyNoPostgres, type Postgres } from '../../../test/postgres.ts'
import { BusyLedger } from '../../../test/team/busy-ledger.ts'
import { contentOfLedgers, contentOfTeam } from '../../../test/team/team-content.ts'
import { readSendNotes, sendNotesPath } from '../../store/outbox/send-notes.ts'
import { openSqliteLedger } from '../../store/ledger/open.ts'
import { Database } from '../../store/postgres/connection.ts'
import { migrate } from '../../store/postgres/migrate.ts'
import { openTeamReader } from '../../store/postgres/read/team-reader.ts'
import { realSystem } from '../../system/real.ts'
import { LedgerSender } from './ledger-sender.ts'

const system = realSystem({ ownsProcess: false })

describe.skipIf(whyNoPostgres() !== undefined)('sending a ledger', () => {
  let postgres: Postgres
  let address = ''
  let team: Database
  let directory = ''
  let count = 0
  const problems: string[] = []
  const senderOf = (ledger: string, at = address): LedgerSender =>
    new LedgerSender(system, {
      ledger,
      address: at,
      version: '1',
      onProblem: (problem) => problems.push(problem),
    })
  const sendAll = async (ledger: string, at?: string): Promise<unknown> => {
    const sender = senderOf(ledger, at)
    try {
      return await sender.send(true)
    } finally {
      await sender.close()
    }
  }

  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
  })
  afterAll(() => postgres.stop())
  beforeEach(async () => {
    count += 1
    problems.length = 0
    directory = mkdtempSync(join(tmpdir(), 'jobmeter-'))
    address = await postgres.database(`team${count}`)
    team = new Database({ connectionString: address })
    await migrate(team)
  })
  afterEach(async () => {
    await team.close()
    rmSync(directory, { recursive: true })
  })

  it('brings all of it, while it changes', async () => {
    const busy = new BusyLedger(join(directory, 'ledger.db'), 1)
    const sender = senderOf(busy.path)
    for (let turn = 0; turn < 8; turn += 1) {
      for (let act = 0; act < 60; act += 1) busy.act()
      await sender.send(turn % 2 === 0)
    }
    await sender.send(true)
    expect(await contentOfTeam(team)).toEqual(contentOfLedgers([busy.path]))
    busy.endAll()
    await sender.send(false)
    expect(await contentOfTeam(team)).toEqual(contentOfLedgers([busy.path]))
    await sender.close()
    busy.close()
    expect(problems).toEqual([])
  })

  it('goes on where another left off, and changes nothing where all is there', async () => {
    const busy = new BusyLedger(join(directory, 'ledger.db'), 2)
    for (let act = 0; act < 200; act += 1) busy.act()
    await sendAll(busy.path)
    for (let act = 0; act < 200; act += 1) busy.act()
    await sendAll(busy.path)
    const content = contentOfLedgers([busy.path])
    expect(await contentOfTeam(team)).toEqual(content)
    expect(await sendAll(busy.path)).toMatchObject({ attempts: 0, samples: 0 })
    // The name that the team knows the ledger by is found again.
    rmSync(sendNotesPath({ ledger: busy.path, address }))
    await sendAll(busy.path)
    expect(await team.rows('SELECT count(*) AS n FROM source')).toEqual([{ n: 1 }])
    expect(await contentOfTeam(team)).toEqual(content)
    busy.close()
  })

  it('does not double what a copy of a ledger holds, and takes what the copy has of its own', async () => {
    const path = join(directory, 'ledger.db')
    const copy = join(directory, 'copy.db')
    const record = (ledger: string, ...tasks: readonly string[]): void => {
      const opened = openSqliteLedger(ledger)
      for (const task of tasks) opened.jobs.finish(opened.jobs.begin(someStart(task)), someEnd())
      opened.close()
    }
    record(path, 'shared-1', 'shared-2')
    await sendAll(path)
    copyFileSync(path, copy)
    const [notes, ofCopy] = [path, copy].map((ledger) => sendNotesPath({ ledger, address }))
    copyFileSync(notes ?? '', ofCopy ?? '')
    record(path, 'of-the-one')
    record(copy, 'of-the-other')
    await sendAll(path)
    await sendAll(copy)
    expect(await contentOfTeam(team)).toEqual(contentOfLedgers([path, copy]))
    expect(await team.rows('SELECT count(*) AS n FROM source')).toEqual([{ n: 2 }])
  })

  it('sets aside what the team cannot hold, and sends the rest', async () => {
    const ledger = openSqliteLedger(join(directory, 'ledger.db'))
    for (const [task, name] of [
      ['first', 'fine'],
      ['second', 'a NUL \0 in it'],
      ['third', 'fine'],
    ])
      ledger.jobs.finish(
        ledger.jobs.begin(someStart(task ?? '', { job: { name: name ?? '' } })),
        someEnd(),
      )
    ledger.jobs.begin(someStart('fourth', { startedAt: 9e10 }))
    ledger.close()
    const refused = [{ record: 'fourth', reason: expect.stringContaining('no job starts in') }]
    expect(await sendAll(join(directory, 'ledger.db'))).toMatchObject({ attempts: 3, refused })
    const there = (await contentOfTeam(team)).attempts
    expect(Object.keys(there).toSorted()).toEqual(['first', 'second', 'third'])
    expect(there['second']).toMatchObject({ job_name: 'a NUL \0 in it' })
    expect(await sendAll(join(directory, 'ledger.db'))).toMatchObject({ attempts: 0, refused: [] })
  })

  it('keeps what was pruned, and says of a running job that was deleted that it is over', async () => {
    const path = join(directory, 'ledger.db')
    const ledger = openSqliteLedger(path)
    ledger.jobs.finish(ledger.jobs.begin(someStart('old')), someEnd())
    const workflowId = ledger.workflows.createWorkflow(someWorkflow(['a']))
    const jobId = ledger.workflows.findWorkflow(workflowId)?.jobs[0]?.jobId ?? 0
    const startedAt = system.clock.wallSeconds()
    ledger.workflows.beginAttempt(
      { jobId, workflowId, runId: 1, attempt: 1 },
      someStart('running', { startedAt }),
    )
    await sendAll(path)
    ledger.jobs.prune(1_800_000_000)
    ledger.workflows.deleteWorkflow(workflowId)
    ledger.close()
    await sendAll(path)
    expect(await team.rows('SELECT task_id, status, reason FROM attempt ORDER BY task_id')).toEqual(
      [
        { task_id: 'old', status: 'success', reason: null },
        {
          task_id: 'running',
          status: 'interrupted',
          reason: 'its record was deleted on its machine before its end was sent',
        },
      ],
    )
  })

  it('takes turns with others who send the same ledger', async () => {
    const busy = new BusyLedger(join(directory, 'ledger.db'), 4)
    const senders = [1, 2, 3].map(() => senderOf(busy.path))
    for (let turn = 0; turn < 6; turn += 1) {
      for (let act = 0; act < 40; act += 1) busy.act()
      await Promise.all(senders.map((sender) => sender.send(true)))
    }
    expect(await contentOfTeam(team)).toEqual(contentOfLedgers([busy.path]))
    await Promise.all(senders.map((sender) => sender.close()))
    busy.close()
  })

  it('works for a role that may only write, and does not touch what others have', async () => {
    await team.run(`DROP ROLE IF EXISTS node1; DROP ROLE IF EXISTS node2;
      CREATE ROLE node1 LOGIN IN ROLE jobmeter_node; CREATE ROLE node2 LOGIN IN ROLE jobmeter_node`)
    const one = new BusyLedger(join(directory, 'one.db'), 5)
    const other = new BusyLedger(join(directory, 'other.db'), 6)
    for (let act = 0; act < 150; act += 1) [one, other].forEach((busy) => busy.act())
    await sendAll(one.path, postgres.address(`team${count}`, 'node1'))
    await sendAll(other.path, postgres.address(`team${count}`, 'node2'))
    for (let act = 0; act < 150; act += 1) [one, other].forEach((busy) => busy.act())
    await sendAll(one.path, postgres.address(`team${count}`, 'node1'))
    await sendAll(other.path, postgres.address(`team${count}`, 'node2'))
    expect(await contentOfTeam(team)).toEqual(contentOfLedgers([one.path, other.path]))
    // The same task again, from somebody who cannot see the first: it stays as it is.
    const ledger = openSqliteLedger(join(directory, 'forged.db'))
    const task = Object.keys(contentOfLedgers([one.path]).attempts)[0] ?? ''
    ledger.jobs.finish(ledger.jobs.begin(someStart(task, { job: { name: 'forged' } })), someEnd())
    ledger.close()
    const forged = [
      join(directory, 'forged.db'),
      postgres.address(`team${count}`, 'node2'),
    ] as const
    expect(await sendAll(...forged)).toMatchObject({
      attempts: 0,
      refused: [
        { record: task, reason: expect.stringContaining('another role has sent a record') },
      ],
    })
    expect(problems).toEqual([expect.stringContaining(task)])
    expect(readSendNotes({ ledger: forged[0], address: forged[1] })?.refused).toMatchObject([
      { record: task },
    ])
    expect(await contentOfTeam(team)).toEqual(contentOfLedgers([one.path, other.path]))
    one.close()
    other.close()
  })

  it('says what is too long for the team, and sends all the rest', async () => {
    const path = join(directory, 'long.db')
    const ledger = openSqliteLedger(path)
    const name = 'x'.repeat(20_000)
    for (const [task, job] of [
      ['long', { name }],
      ['short', {}],
    ] as const)
      ledger.jobs.finish(ledger.jobs.begin(someStart(task, { job })), someEnd())
    ledger.close()
    const to = { ledger: path, address: postgres.address(`team${count}`, 'node2') }
    expect(await sendAll(path, to.address)).toMatchObject({
      attempts: 1,
      refused: [{ record: 'long', reason: 'its job_name has more than 16384 bytes' }],
    })
    expect(readSendNotes(to)?.refused).toHaveLength(1)
  })

  it('does not wait for what lies in the place of its notes', async () => {
    const path = join(directory, 'piped.db')
    const ledger = openSqliteLedger(path)
    ledger.jobs.finish(ledger.jobs.begin(someStart('piped')), someEnd())
    ledger.close()
    const to = { ledger: path, address: postgres.address(`team${count}`, 'node2') }
    execFileSync('mkfifo', [sendNotesPath(to)])
    expect(readSendNotes(to)).toBeUndefined()
    expect(await sendAll(path, to.address)).toMatchObject({
      attempts: 1,
    })
    expect(readSendNotes(to)?.succeededAt).toBeGreaterThan(0)
  })

  it('is not silenced by somebody who claims its tasks', async () => {
    await team.run(`DROP ROLE IF EXISTS ada; DROP ROLE IF EXISTS bob;
      CREATE ROLE ada LOGIN IN ROLE jobmeter_writer; CREATE ROLE bob LOGIN IN ROLE jobmeter_writer`)
    const [claim, truth] = (['ada', 'bob'] as const).map((user) => {
      const path = join(directory, `${user}.db`)
      const ledger = openSqliteLedger(path)
      const ref = ledger.jobs.begin(someStart('claimed', { user, job: { name: user } }))
      const rows = user === 'ada' ? 3 : 2
      ledger.jobs.writer(ref).add(someSamples(rows), rows)
      ledger.jobs.finish(ref, someEnd())
      ledger.close()
      return { path, at: postgres.address(`team${count}`, user) }
    })
    for (const sent of [claim, truth, claim, truth])
      expect(await sendAll(sent?.path ?? '', sent?.at)).toMatchObject({ refused: [] })
    expect(await team.rows('SELECT "user", job_name FROM attempt ORDER BY "user"')).toEqual([
      { user: 'ada', job_name: 'ada' },
      { user: 'bob', job_name: 'bob' },
    ])
    const reader = await openTeamReader(address)
    const rowsOf = async (user: string) =>
      (await reader.jobs.series('claimed', {}, user)).rows.length
    expect([await rowsOf('ada'), await rowsOf('bob')]).toEqual([3, 2])
    await reader.close()
    // What is of another waits until an administrator lets the role send it: nothing is passed over.
    const others = openSqliteLedger(join(directory, 'others.db'))
    others.jobs.finish(others.jobs.begin(someStart('other', { user: 'bob' })), someEnd())
    others.close()
    const sending = (): Promise<unknown> => sendAll(join(directory, 'others.db'), claim?.at)
    await expect(sending()).rejects.toThrow('does not let this role do that')
    await team.run('GRANT jobmeter_node TO ada')
    expect(await sending()).toMatchObject({ attempts: 1, refused: [] })
  })
})
