import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { someEnd, someSamples, someStart } from '../../../test/contracts/attempts.ts'
import { allPages } from '../../../test/contracts/store/pages.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { openSqliteLedger } from '../ledger/open.ts'
import type { AttemptEnd, AttemptStart, SpooledAttempt, Store } from '../ledger/store.ts'
import { JobsInPlace } from './jobs-in-place.ts'

let folder: string
let ledger: Ledger
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'jobmeter-in-place-'))
  ledger = openSqliteLedger(join(folder, 'ledger.db'))
})
afterEach(() => {
  ledger.close()
  rmSync(folder, { recursive: true })
})

const dead = { host: 'node01', bootId: 'b0', pid: 7, startTicks: 7 }
const owners = { isDead: ({ pid }: { pid: number }) => pid === dead.pid, isHeld: () => false }

const unseen = { of: () => undefined }

const at = (taskId: string, startedAt: number, more: Partial<AttemptStart> = {}): AttemptStart =>
  someStart(taskId, { startedAt, ...more })
const waits = (start: AttemptStart, end: AttemptEnd | null): SpooledAttempt => ({
  start,
  rows: someSamples(1),
  count: 1,
  end,
})
const failed = someEnd({
  outcome: { status: 'failed', exitCode: 1, signal: null, reason: null, stragglers: [] },
})

it('has the marks of what waits, and of what the ledger has', () => {
  const mark = { timestamp: 1, elapsedSeconds: 1, step: 1, epoch: 2, phase: 'a', message: null }
  const kept = ledger.jobs.begin(at('kept', 100))
  ledger.jobs.finish(kept, { ...someEnd(), marks: [mark] })
  const told = { ...someEnd(), marks: [{ ...mark, phase: 'b' }] }
  const inPlace = new JobsInPlace(ledger.jobs, [waits(at('waits', 200), told)], owners, unseen)
  expect(inPlace.marks('kept')).toEqual([mark])
  expect(inPlace.marks('waits')).toMatchObject([{ phase: 'b' }])
  expect(inPlace.find({ limit: 1 })[0]).not.toHaveProperty('marks')
})

/** The same attempts twice: some in the ledger with the others beside it, and all taken in. */
function bothWays(): { inPlace: Store; takenIn: Store } {
  const { jobs } = ledger
  jobs.finish(jobs.begin(at('kept', 100)), someEnd())
  jobs.begin(at('lives', 300))
  jobs.begin(at('died', 500, { owner: dead }))
  jobs.begin(at('ended', 700))
  const waiting = [
    waits(at('new', 200), failed),
    waits(at('ended', 700), someEnd()),
    waits(at('other', 400, { job: { ...someStart('a').job, name: 'other' } }), someEnd()),
    waits(at('gone', 600, { owner: dead }), null),
  ]
  const all = openSqliteLedger(join(folder, 'all.db'))
  for (const start of [at('kept', 100), at('lives', 300), at('died', 500, { owner: dead })])
    all.jobs.begin(start)
  all.jobs.adopt({ ...waits(at('kept', 100), someEnd()), rows: new Float64Array(), count: 0 })
  for (const attempt of waiting) all.jobs.adopt(attempt)
  for (const taskId of ['died', 'gone']) all.jobs.interrupt(taskId, 'killed')
  return { inPlace: new JobsInPlace(jobs, waiting, owners, unseen), takenIn: all.jobs }
}

describe('jobs that are read in place', () => {
  const queries = [
    {},
    { limit: 3 },
    { status: 'success' },
    { status: 'interrupted' },
    { status: 'running' },
    { status: 'failed', limit: 1 },
    { name: 'other' },
    { tag: 'nightly', startedSince: 300 },
    { tool: 'none' },
    { name: ['OTHER', 'none'], inAnyCase: true },
    { name: 'OTHER' },
    { tag: ['Nightly', 'none'], inAnyCase: true },
    { user: 'ADA', inAnyCase: true, limit: 2 },
    { status: ['failed', 'running'] },
    { origin: 'command' },
    { origin: 'workflow' },
    { owners: ['eve'] },
    { owners: ['ada'], host: 'node01', startedBefore: 600 },
    { search: 'TRAIN.py --r' },
    { search: 'othe' },
    { search: 'go' },
  ] as const
  it.each(queries)('are those that would be found in the ledger: %j', (query) => {
    const { inPlace, takenIn } = bothWays()
    const told = (store: Store) => ({
      found: store.find(query).map(({ taskId, status }) => `${taskId} ${status}`),
      brief: store
        .findBrief(query, ['cpuTotalSeconds'])
        .map(({ taskId, usage }) => `${taskId} ${usage.cpuTotalSeconds.value}`),
      counted: store.count(query),
      listed: store
        .page({ limit: 9, ...query }, null)
        .map(({ job }) => `${job.taskId} ${job.status} ${job.usage.cpuTotalSeconds.value}`),
      inPages: allPages(store, query, 2),
      oldest: [...store.each(query, 'oldest first')].map(({ taskId }) => taskId),
      newest: [...store.each(query, 'newest first')].map(({ taskId }) => taskId),
    })
    expect(told(inPlace)).toEqual(told(takenIn))
    takenIn.close()
  })

  it('are added up with them', () => {
    const { inPlace, takenIn } = bothWays()
    const sums = (store: Store) =>
      store.tally().toSorted((one, other) => one.status.localeCompare(other.status))
    expect(sums(inPlace).map(({ status, attempts }) => `${attempts} ${status}`)).toEqual([
      '1 failed',
      '2 interrupted',
      '1 running',
      '3 success',
    ])
    expect(sums(inPlace)).toEqual(sums(takenIn))
    takenIn.close()
  })
})
