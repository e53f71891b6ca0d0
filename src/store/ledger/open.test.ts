import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someEnd, someSamples, someStart } from '../../../test/contracts/attempts.ts'
import { usageKeys } from '../../model/usage.ts'
import { Connection } from '../sqlite/connection.ts'
import { StoreError } from '../errors.ts'
import { applicationId, newestVersion } from './ledger-marks.ts'
import { openSqliteInPlace } from './open-in-place.ts'
import { openSqliteLedger } from './open.ts'
import { SqliteStore } from './sqlite-store.ts'

let directory: string
let path: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'jobmeter-'))
  path = join(directory, 'ledger.db')
})
afterEach(() => rmSync(directory, { recursive: true }))

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8)

function refusalOf(work: () => unknown): StoreError {
  try {
    work()
  } catch (error) {
    if (error instanceof StoreError) return error
    throw error
  }
  throw new Error('it was not refused')
}

const refusal = (file: string): StoreError => refusalOf(() => openSqliteLedger(file).jobs.close())

function edit(file: string, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

describe('a new ledger', () => {
  it('is for its owner only, and so are its directories and its log', () => {
    const umask = process.umask(0)
    try {
      const deep = join(directory, 'state', 'jobmeter', 'ledger.db')
      const store = openSqliteLedger(deep).jobs
      store.begin(someStart('a'))
      expect(modeOf(join(directory, 'state'))).toBe('700')
      expect(modeOf(join(directory, 'state', 'jobmeter'))).toBe('700')
      expect(['', '-wal', '-shm'].map((end) => modeOf(deep + end))).toEqual(['600', '600', '600'])
      store.close()
    } finally {
      process.umask(umask)
    }
  })

  it('is made of an empty file, whose mode is left as it is', () => {
    writeFileSync(path, '')
    chmodSync(path, 0o640)
    openSqliteLedger(path).jobs.close()
    expect(modeOf(path)).toBe('640')
  })

  it('has a log, its version and our mark', () => {
    openSqliteLedger(path).jobs.close()
    const database = new DatabaseSync(path)
    const pragma = (name: string) =>
      Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]
    expect(pragma('journal_mode')).toBe('wal')
    expect(pragma('user_version')).toBe(newestVersion)
    expect(pragma('application_id')).toBe(applicationId)
    expect(pragma('auto_vacuum')).toBe(2)
    database.close()
  })

  it.each([':memory:', 'file:x?mode=memory', 'odd ?#%41\'";.db'])(
    'is a file even if called %s',
    (name) => {
      const file = join(directory, name)
      openSqliteLedger(file).jobs.close()
      expect(statSync(file).isFile()).toBe(true)
    },
  )
})

describe('a ledger that cannot be used', () => {
  it.each([
    'CREATE TRIGGER odd AFTER INSERT ON job BEGIN UPDATE job SET name = 1; END',
    'CREATE VIEW odd AS SELECT 1',
  ])('is one that somebody has changed: %s', (sql) => {
    openSqliteLedger(path).jobs.close()
    edit(path, sql)
    const refused = refusal(path)
    expect(refused.code).toBe('not-a-ledger')
    expect(refused.message).toContain('this ledger contains a trigger or a view')
    expect(refusalOf(() => openSqliteInPlace(path, refused)).code).toBe('not-a-ledger')
  })

  it('of a newer version is refused, and says so', () => {
    openSqliteLedger(path).jobs.close()
    edit(path, `PRAGMA user_version = ${newestVersion + 1}`)
    const { code, message } = refusal(path)
    expect(code).toBe('newer')
    expect(message).toContain(
      `${path}: written by version ${newestVersion + 1}; this build reads up to ${newestVersion}. Use a newer`,
    )
  })

  it('is another program’s database, which stays as it was', () => {
    edit(path, 'CREATE TABLE theirs (x)')
    expect(refusal(path).code).toBe('not-a-ledger')
    edit(path, 'PRAGMA application_id = 7; DROP TABLE theirs')
    expect(refusal(path).code).toBe('not-a-ledger')
    edit(path, 'CREATE TABLE job (x)')
  })

  it('is no database', () => {
    writeFileSync(path, 'dear diary, today I wrote more than a hundred bytes. '.repeat(3))
    expect(refusal(path)).toMatchObject({ code: 'not-a-ledger', path })
  })

  it('is a directory', () => {
    mkdirSync(path)
    expect(refusal(path)).toMatchObject({ code: 'not-a-ledger' })
  })

  it.each(['/dev/null/ledger.db', '/proc/ledger.db', '/proc/x/ledger.db', 'nul\0.db'])(
    'lies where no file can be made: %s',
    (file) => {
      expect(refusal(file)).toMatchObject({ code: 'unreadable' })
      expect(refusal(file).message).toContain('--db')
    },
  )

  it('was cut short', () => {
    const store = openSqliteLedger(path).jobs
    store.writer(store.begin(someStart('a'))).add(someSamples(500), 500)
    store.close()
    truncateSync(path, 8192)
    expect(refusalOf(() => openSqliteLedger(path).jobs.find({})).code).toBe('corrupt')
  })
})

describe('a row that no ledger holds', () => {
  const changes = [
    "job SET params = '[1'",
    "job SET params = '[]'",
    "job SET tags = '[1]'",
    "job SET command = '7'",
    "job SET name = x'00'",
    "attempt SET started_at = 'now'",
    'attempt SET started_at = 9e999',
    'attempt SET started_at = -1',
    'attempt SET duration_seconds = -1',
    'attempt SET exit_code = 1000',
    "attempt SET status = 'splendid'",
    "attempt SET usage = '{'",
    "attempt SET usage = '7'",
    `attempt SET usage = '{"measured":[7],"unmeasured":[]}'`,
    `attempt SET usage = '{"measured":[],"unmeasured":[["why",7]]}'`,
    "attempt SET owner_pid = 'x'",
  ]
  it.each(changes)('is left out and told, and the others are read: %s', (change) => {
    const problems: string[] = []
    const { jobs, close } = openSqliteLedger(path, {
      onProblem: (problem) => problems.push(problem),
    })
    jobs.finish(jobs.begin(someStart('good')), someEnd())
    const { jobId } = jobs.begin(someStart('bad'))
    expect(jobs.find({})).toHaveLength(2)
    edit(path, `UPDATE ${change} WHERE ${change.startsWith('job') ? 'id' : 'job_id'} = ${jobId}`)
    expect(jobs.find({})).toMatchObject([{ taskId: 'good' }])
    expect(problems).toEqual([
      expect.stringContaining(`${path}: a record is damaged and left out (`),
    ])
    expect(jobs.findByPrefix('bad')).toEqual([])
    expect(jobs.running().length).toBeLessThan(2)
    for (const order of ['oldest first', 'newest first'] as const)
      expect([...jobs.each({}, order)]).toMatchObject([{ taskId: 'good' }])
    close()
  })

  it.each(["'{'", "'7'", "x'00'"])('is one with a usage that is %s', (usage) => {
    const problems: string[] = []
    const { jobs, close } = openSqliteLedger(path, {
      onProblem: (problem) => problems.push(problem),
    })
    jobs.finish(jobs.begin(someStart('good')), someEnd())
    const { attemptId } = jobs.begin(someStart('bad'))
    jobs.interrupt('bad', 'gone')
    edit(path, `UPDATE attempt_usage SET usage = ${usage} WHERE attempt_id = ${attemptId}`)
    expect(jobs.find({})).toMatchObject([{ taskId: 'good' }])
    expect(problems).toEqual([expect.stringContaining('a record is damaged and left out (bad: ')])
    close()
  })

  it('does not end an answer that comes piece by piece, nor count among those asked for', () => {
    const problems: string[] = []
    const { jobs, batch, close } = openSqliteLedger(path, {
      onProblem: (problem) => problems.push(problem),
    })
    batch(() => {
      for (let index = 0; index < 1200; index++)
        jobs.begin(someStart(`t${index}`, { startedAt: 1_700_000_000 + index }))
    })
    // One in the middle of a page, a whole page, and the last one of the next.
    edit(path, 'UPDATE attempt SET exit_code = 1000 WHERE id = 7 OR id BETWEEN 501 AND 1000')
    edit(path, 'UPDATE attempt SET exit_code = 1000 WHERE id = 1200')
    const all = [...jobs.each({}, 'oldest first')].map(({ taskId }) => taskId)
    expect(all).toHaveLength(698)
    expect(new Set(all).size).toBe(698)
    expect(problems).toEqual([
      expect.stringContaining('a record is damaged and left out (t6: '),
      expect.stringContaining('500 records are damaged and left out (t500: '),
      expect.stringContaining('a record is damaged and left out (t1199: '),
    ])
    expect([...jobs.each({ limit: 600 }, 'oldest first')].at(-1)).toMatchObject({
      taskId: all[599],
    })
    close()
  })

  it.each(['attempt SET duration_seconds = -1', "attempt SET status = 'splendid'"])(
    'is left out of brief answers and of sums: %s',
    (change) => {
      const problems: string[] = []
      const { jobs, close } = openSqliteLedger(path, {
        onProblem: (problem) => problems.push(problem),
      })
      jobs.finish(jobs.begin(someStart('good')), someEnd())
      const { jobId } = jobs.begin(someStart('bad'))
      edit(path, `UPDATE ${change} WHERE job_id = ${jobId}`)
      expect(jobs.findBrief({}, ['cpuTotalSeconds'])).toMatchObject([{ taskId: 'good' }])
      expect(problems).toHaveLength(1)
      expect(jobs.tally()).toContainEqual(
        expect.objectContaining({ status: 'success', attempts: 1 }),
      )
      close()
    },
  )
})

describe('usage that another version stored', () => {
  it('is read as far as this build knows it', () => {
    const store = openSqliteLedger(path).jobs
    store.finish(store.begin(someStart('a')), someEnd())
    edit(
      path,
      `UPDATE attempt_usage SET usage = '{"readBytes":{"value":5,"basis":"io"},"joules":{"value":1}}'`,
    )
    const usage = store.find({})[0]?.usage
    store.close()
    expect(Object.keys(usage ?? {})).toEqual([...usageKeys])
    expect(usage?.readBytes).toEqual({ value: 5, basis: 'io' })
    const why = 'not recorded by the version that measured it'
    expect(usage?.writeBytes).toEqual({ value: null, why })
  })
})

describe('a full disk', () => {
  it('loses only what did not fit', () => {
    openSqliteLedger(path).jobs.close()
    const database = new DatabaseSync(path)
    const store = new SqliteStore(
      new Connection(database, path, { journal: 'WAL', lockWait: { milliseconds: 0 } }),
    )
    const done = store.begin(someStart('done'))
    store.writer(done).add(someSamples(5), 5)
    store.finish(done, someEnd())
    const ref = store.begin(someStart('big'))
    database.exec('PRAGMA max_page_count = 60')
    const { code, message } = refusalOf(() => store.writer(ref).add(someSamples(9_000), 9_000))
    expect(code).toBe('full')
    expect(message).toContain('jobmeter prune')
    expect(store.series('big').read().rows).toEqual([])
    expect(store.series('done').read().rows).toHaveLength(5)
    store.finish(ref, someEnd())
    expect(store.find({ status: 'success' })).toHaveLength(2)
    store.close()
  })
})

describe('prune', () => {
  it('gives the space back', () => {
    const store = openSqliteLedger(path).jobs
    const ref = store.begin(someStart('a', { startedAt: 1 }))
    store.writer(ref).add(someSamples(9_000), 9_000)
    store.finish(ref, someEnd())
    store.prune(2)
    store.close()
    const empty = `${path}-empty`
    openSqliteLedger(empty).close()
    expect(statSync(path).size).toBe(statSync(empty).size)
  })
})
