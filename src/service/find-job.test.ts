import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someEnd, someStart } from '../../test/contracts/attempts.ts'
import { readerOf, type LedgerReader } from '../store/ledger/ledger-reader.ts'
import { openSqliteLedger } from '../store/ledger/open.ts'
import type { Store } from '../store/ledger/store.ts'
import { findJob } from './find-job.ts'
import { UserError } from './user-error.ts'

let folder: string
let store: Store
let reader: LedgerReader
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-find-'))
  const ledger = openSqliteLedger(join(folder, 'ledger.db'))
  store = ledger.jobs
  reader = readerOf(ledger)
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('finding a job', () => {
  const fill = () => {
    for (const [index, taskId] of ['f00', 'abd777', 'abc123'].entries())
      store.finish(store.begin(someStart(taskId, { startedAt: 1000 + index })), someEnd())
  }

  it('takes a whole id, a beginning that fits one, and `last`', async () => {
    fill()
    expect((await findJob(reader, 'f00')).taskId).toBe('f00')
    expect((await findJob(reader, 'abd')).taskId).toBe('abd777')
    expect((await findJob(reader, 'ABD')).taskId).toBe('abd777')
    expect((await findJob(reader, 'last')).taskId).toBe('abc123')
  })

  it('takes the id that a program gave to a job, and then the newest that has it', async () => {
    fill()
    const given = (taskId: string, startedAt: number, id: string) => {
      const start = someStart(taskId, { startedAt })
      const job = { ...start.job, tags: ['nightly', `task:${id}`] }
      store.finish(store.begin({ ...start, job }), someEnd())
    }
    given('c01', 2000, 'my-task-123')
    given('c02', 2001, 'my-task-123')
    given('c03', 2002, 'deadbeefdeadbeef')
    expect((await findJob(reader, 'my-task-123')).taskId).toBe('c02')
    expect((await findJob(reader, 'deadbeefdeadbeef')).taskId).toBe('c03')
    await expect(findJob(reader, 'my-task')).rejects.toThrow(UserError)
  })

  it('says of a job of a workflow that it never started', async () => {
    fill()
    const job = { workflowId: 3, jobId: 9, name: 'after_bad', attempts: 0 }
    const state = 'cancelled' as const
    const findJobs = async () => [{ ...job, state }]
    const known = { ...reader, workflows: { ...reader.workflows, findJobs } }
    await expect(findJob(known, 'after_bad')).rejects.toThrow(
      'job after_bad was cancelled before it started. See jobmeter workflows status 3',
    )
  })

  it('says so where none fits, and what to do', async () => {
    await expect(findJob(reader, 'last')).rejects.toThrow(/jobmeter run/)
    fill()
    await expect(findJob(reader, 'eee')).rejects.toThrow(UserError)
    await expect(findJob(reader, 'eee')).rejects.toThrow(/"eee".*jobmeter history/)
  })

  it('names those that fit where there are several', async () => {
    fill()
    await expect(findJob(reader, 'ab')).rejects.toThrow(
      'no job is named "ab", and 2 task ids start with it: abc123, abd777',
    )
  })

  it('takes an id as any command prints it', async () => {
    const id = '3f8a21b2c4d5e6f7a8b9c0d1e2f3a4b5'
    store.finish(store.begin(someStart(id, { startedAt: 1 })), someEnd())
    for (const typed of [id, id.toUpperCase(), '3f8a21b2c4d5', '3f8a21b2c4d5...', '3f8a21…'])
      expect((await findJob(reader, typed)).taskId).toBe(id)
  })

  it('takes a name, and the newest of those that have it', async () => {
    fill()
    for (const [taskId, name] of [
      ['a1', 'Feed'],
      ['a2', 'Feed'],
      ['feed1', 'other'],
    ] as const)
      store.begin(someStart(taskId, { startedAt: 2000 + Number(taskId.at(-1)), job: { name } }))
    expect((await findJob(reader, 'Feed')).taskId).toBe('a2')
    expect((await findJob(reader, 'other')).taskId).toBe('feed1')
    expect((await findJob(reader, 'OTHER')).taskId).toBe('feed1')
    // Written as it is, a name comes before an id that begins so, and an id before a name that is written otherwise.
    expect((await findJob(reader, 'feed')).taskId).toBe('feed1')
  })

  it('takes the number that the ledger gave a job', async () => {
    fill()
    const { jobId } = store.begin(someStart('111', { startedAt: 5 }))
    expect((await findJob(reader, String(jobId))).taskId).toBe('111')
    expect((await findJob(reader, '111')).taskId).toBe('111')
  })
})
