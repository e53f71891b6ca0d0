import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someEnd, someStart } from '../../test/contracts/attempts.ts'
import { ourselves } from '../record/owner.ts'
import { openSqliteLedger } from '../store/ledger/open.ts'
import { SpoolFile } from '../store/spool/spool-file.ts'
import { realSystem } from '../system/real.ts'
import type { System } from '../system/system.ts'
import { ServedLedger } from './served-ledger.ts'

let directory: string
let path: string
let now: number
let system: System
let served: ServedLedger
let problems: string[]
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jobmeter-served-'))
  path = join(directory, 'ledger.db')
  now = 1000
  const real = realSystem({ ownsProcess: false })
  system = { ...real, clock: { ...real.clock, monotonicSeconds: () => now } }
  problems = []
  served = new ServedLedger(system, path, (problem) => problems.push(problem))
})
afterEach(() => {
  served.close()
  rmSync(directory, { recursive: true })
})

const listed = () =>
  served.ask(async ({ jobs }) =>
    (await jobs.page({ limit: 1000 }, null)).map(({ job }) => `${job.taskId} ${job.status}`),
  )
/** With its log, which SQLite would take for that of the next file of this name. */
const remove = () => {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
}
const ours = () => ourselves(system)
const spooled = (taskId: string, startedAt: number) =>
  new SpoolFile(path, someStart(taskId, { startedAt, owner: ours() }))

describe('a ledger that is served', () => {
  it('shows what runs and what ended, in order, though all of it waits beside it', async () => {
    expect(await listed()).toEqual([])
    const running = spooled('a', 100)
    spooled('b', 50).finish(someEnd())
    now += 1
    expect(await listed()).toEqual(['a running', 'b success'])
    running.finish(someEnd())
    now += 1
    expect(await listed()).toEqual(['a success', 'b success'])
    expect(readdirSync(`${path}.spool`)).toEqual([])
  })

  it('takes nothing in between two turns, however often it is asked', async () => {
    await listed()
    spooled('a', 100).finish(someEnd())
    now += 0.9
    for (let time = 0; time < 5; time += 1) expect(await listed()).toEqual([])
    expect(readdirSync(`${path}.spool`)).toHaveLength(1)
    now += 0.1
    expect(await listed()).toEqual(['a success'])
  })

  it('takes in a great many in several turns', async () => {
    for (let index = 0; index < 450; index += 1) spooled(`t${index}`, index).finish(someEnd())
    const counts: number[] = []
    for (let turn = 0; turn < 4; turn += 1) {
      counts.push((await listed()).length)
      now += 1
    }
    expect(counts).toEqual([200, 400, 450, 450])
  })

  it('calls a job interrupted whose owner was killed', async () => {
    const child = spawn('sleep', ['60'])
    await once(child, 'spawn')
    const { pid = 0 } = child
    const stat = system.files.readText(`/proc/${pid}/stat`)
    if (stat.kind !== 'ok') throw new Error('no such process')
    const startTicks = Number(stat.value.slice(stat.value.lastIndexOf(')') + 2).split(' ')[19])
    const owner = { ...ours(), pid, startTicks }
    const running = new SpoolFile(path, someStart('a', { startedAt: 100, owner }))
    expect(await listed()).toEqual(['a running'])
    child.kill('SIGKILL')
    await once(child, 'exit')
    now += 6
    expect(await listed()).toEqual(['a interrupted'])
    running.finish(someEnd())
  })

  it('goes on with a new file where the old one was removed or replaced', async () => {
    spooled('a', 1).finish(someEnd())
    expect(await listed()).toEqual(['a success'])
    remove()
    expect(await listed()).toEqual([])
    const other = openSqliteLedger(join(directory, 'other.db'))
    other.jobs.begin(someStart('other'))
    other.close()
    remove()
    renameSync(join(directory, 'other.db'), path)
    expect(await listed()).toEqual([expect.stringMatching(/^other/)])
  })

  it('finishes an answer that it has begun before it closes the file', async () => {
    spooled('a', 1).finish(someEnd())
    const answer = served.ask(async ({ jobs }) => {
      const before = await jobs.count({})
      remove()
      await listed()
      return [before, await jobs.count({})]
    })
    expect(await answer).toEqual([1, 1])
  })

  it('says why it cannot be read, and reads it again when it can', async () => {
    spooled('a', 1).finish(someEnd())
    await listed()
    const database = new DatabaseSync(path)
    const [version] = database.prepare('PRAGMA user_version').all()
    database.exec('PRAGMA user_version = 999')
    now += 1
    await expect(listed()).rejects.toThrow('written by version 999')
    await expect(listed()).rejects.toThrow('written by version 999')
    database.exec(`PRAGMA user_version = ${Number(version?.['user_version'])}`)
    database.close()
    expect(await listed()).toEqual(['a success'])
  })

  it('says that a file is not a ledger', async () => {
    writeFileSync(path, 'something else altogether '.repeat(50))
    await expect(listed()).rejects.toThrow('not a jobmeter ledger')
  })

  it('is read with what waits while another process keeps it locked', async () => {
    await listed()
    const other = new DatabaseSync(path)
    other.exec('BEGIN IMMEDIATE')
    spooled('a', 1).finish(someEnd())
    now += 1
    expect(await listed()).toEqual(['a success'])
    expect(readdirSync(`${path}.spool`)).toHaveLength(1)
    expect(problems).toEqual([expect.stringContaining('locked')])
    other.exec('ROLLBACK')
    other.close()
    now += 1
    expect(await listed()).toEqual(['a success'])
    expect(readdirSync(`${path}.spool`)).toEqual([])
  })
})

describe('an attempt that was just heard of', () => {
  it('is there for who cannot wait for the second to be over', async () => {
    expect(await listed()).toEqual([])
    const running = spooled('a', 100)
    expect(await listed()).toEqual([])
    await Promise.all([1, 2, 3].map(() => served.catchUp()))
    expect(await listed()).toEqual(['a running'])
    running.finish(someEnd())
    expect(await listed()).toEqual(['a running'])
  })
})
