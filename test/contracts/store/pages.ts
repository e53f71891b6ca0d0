import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ListPlace } from '../../../src/model/listed-job.ts'
import { attemptStatuses } from '../../../src/model/outcome.ts'
import type { JobRecord } from '../../../src/model/record.ts'
import type { RecordQuery, Store } from '../../../src/store/ledger/store.ts'
import { someEnd, someStart } from '../attempts.ts'
import { ids, type FreshStore } from './fresh-store.ts'

/** The whole list, in pages of this size. */
export function allPages(store: Store, query: RecordQuery, limit: number): string[] {
  const all: string[] = []
  let after: ListPlace | null = null
  for (let pages = 0; pages < 1000; pages += 1) {
    const page = store.page({ ...query, limit }, after)
    all.push(...ids(page.map(({ job }) => job)))
    if (page.length < limit) return all
    after = page.at(-1)?.place ?? null
  }
  throw new Error('the list has no end')
}

const users = ['ada', 'Grace', 'x_1']
const names = ['train', 'Train-2', 'eval 100%', 'make']
const tags = [[], ['nightly'], ['v1', 'Ärger'], ['a"b', 'c\\d'], [',']]
const commands = [['python3', 'train.py', '--rate', '0.1'], ['sh', '-c', 'make all'], ['ls'], []]
const searches = ['train', 'TRAIN', 'train.py --rate', 'make ALL', '%', '_1', 'a"b', 'c\\d', 'ada']
const words = [...searches, 'Ärger', '0.1', 'task-1', 'none of these', 'y --r']

export const anyListed = fc.record({
  name: fc.constantFrom(...names),
  user: fc.constantFrom(...users),
  tags: fc.constantFrom(...tags),
  command: fc.constantFrom(...commands),
  tool: fc.constantFrom('python3', 'sh'),
  host: fc.constantFrom('node01', 'node02'),
  startedAt: fc.integer({ min: 1_700_001_000, max: 1_700_001_012 }),
  end: fc.constantFrom('success', 'failed', null),
})

export const anyPageQuery: fc.Arbitrary<RecordQuery> = fc.record(
  {
    name: fc.constantFrom('train', 'make', ['eval 100%', 'TRAIN-2']),
    tool: fc.constantFrom('sh', 'PYTHON3'),
    tag: fc.constantFrom('v1', 'a"b', ',', ['nightly', 'c\\d']),
    user: fc.constantFrom('ada', ['grace', 'x_1']),
    owners: fc.subarray(users),
    host: fc.constantFrom('node01', 'node02', 'none'),
    status: fc.subarray([...attemptStatuses], { minLength: 1 }),
    startedSince: fc.integer({ min: 1_700_001_000, max: 1_700_001_012 }),
    startedBefore: fc.integer({ min: 1_700_001_000, max: 1_700_001_012 }),
    origin: fc.constantFrom('command', 'workflow'),
    search: fc.constantFrom(...words),
    inAnyCase: fc.boolean(),
  },
  { requiredKeys: [] },
)

/** As somebody would do it who reads all records. */
function isMeant(record: JobRecord, query: RecordQuery): boolean {
  const small = (text: string): string => (query.inAnyCase === true ? text.toLowerCase() : text)
  const isOneOf = (given: string | readonly string[] | undefined, ...found: string[]): boolean =>
    given === undefined || found.some((text) => [given].flat().includes(text))
  const isNamed = (given: string | readonly string[] | undefined, found: string): boolean =>
    given === undefined || [given].flat().map(small).includes(small(found))
  const { search } = query
  const text = [record.name, record.command.join(' '), record.user].join('\n').toLowerCase()
  return (
    isNamed(query.name, record.name) &&
    isNamed(query.tool, record.tool) &&
    isNamed(query.user, record.user) &&
    isOneOf(query.tag, ...record.tags) &&
    isOneOf(query.owners, record.user) &&
    isOneOf(query.host, record.machine.host) &&
    isOneOf(query.status, record.status) &&
    record.startedAt >= (query.startedSince ?? 0) &&
    record.startedAt < (query.startedBefore ?? Infinity) &&
    query.origin !== 'workflow' &&
    (search === undefined ||
      text.includes(search.toLowerCase()) ||
      record.tags.some((tag) => tag.toLowerCase().includes(search.toLowerCase())) ||
      record.taskId.startsWith(search))
  )
}

export function fillList(
  store: Store,
  attempts: readonly (typeof anyListed extends fc.Arbitrary<infer T> ? T : never)[],
): void {
  for (const [index, { end, startedAt, user, host, ...job }] of attempts.entries()) {
    const machine = { host, cores: 8, memoryBytes: null }
    const ref = store.begin(someStart(`task-${index}`, { startedAt, user, machine, job }))
    const outcome = {
      status: end ?? 'success',
      exitCode: 0,
      signal: null,
      reason: null,
      stragglers: [],
    }
    if (end !== null) store.finish(ref, someEnd({ outcome }))
  }
}

/** Lists of jobs, page by page. */
export function pagesContract(at: FreshStore): void {
  describe('a list in pages', () => {
    it('has all that is asked for, each once and in order', () => {
      fillList(at.store, fc.sample(anyListed, { numRuns: 120, seed: 14 }))
      const all = at.store.find({})
      fc.assert(
        fc.property(anyPageQuery, fc.integer({ min: 1, max: 40 }), (query, limit) => {
          const meant = all.filter((record) => isMeant(record, query))
          expect(allPages(at.store, query, limit)).toEqual(ids(meant))
          expect(at.store.count(query)).toBe(meant.length)
          expect(ids(at.store.find(query))).toEqual(ids(meant))
        }),
        { numRuns: 300 },
      )
    })

    it('finds what is rare behind thousands of others', () => {
      at.store.begin(
        someStart('rare', { startedAt: 5, user: 'eve', job: { name: 'needle', tags: ['odd'] } }),
      )
      for (let index = 0; index < 3_200; index += 1)
        at.store.begin(someStart(`t${index}`, { startedAt: 10 + index, job: { tool: 'make' } }))
      for (const query of [
        { search: 'NEEDL' },
        { search: 'rare' },
        { search: 'eve' },
        { name: 'needle' },
        { tag: 'odd' },
        { tool: 'python3' },
        { user: 'eve' },
        { search: 'train', user: 'eve' },
        { search: 'train', startedBefore: 6 },
      ])
        expect(allPages(at.store, query, 2)).toEqual(['rare'])
      expect(allPages(at.store, { tool: 'make' }, 500)).toHaveLength(3_200)
    })

    it('tells what a list shows', () => {
      const start = someStart('one', { job: { tags: ['a'] } })
      at.store.finish(at.store.begin(start), someEnd())
      expect(at.store.page({ limit: 5 }, null)).toEqual([
        {
          job: {
            taskId: 'one',
            jobId: 1,
            workflowId: null,
            runId: null,
            attempt: 1,
            name: 'train',
            tool: 'python3',
            user: 'ada',
            host: 'node01',
            tags: ['a'],
            status: 'success',
            exitCode: 0,
            signal: null,
            reason: null,
            startedAt: 1_700_000_000,
            endedAt: 1_700_000_012.5,
            durationSeconds: 12.5,
            requirements: start.job.requirements,
            usage: {
              cpuTotalSeconds: { value: 3.25 },
              cpuPercentMean: { value: null },
              memoryPeakBytes: { value: null },
            },
          },
          place: { startedAt: 1_700_000_000, attemptId: 1, taskId: 'one' },
        },
      ])
    })

    it('is not moved by jobs that are recorded between two pages', () => {
      for (let index = 0; index < 6; index += 1)
        at.store.begin(someStart(`t${index}`, { startedAt: 100 }))
      const first = at.store.page({ limit: 3 }, null)
      at.store.begin(someStart('new', { startedAt: 101 }))
      at.store.begin(someStart('as new', { startedAt: 100 }))
      const rest = at.store.page({ limit: 9 }, first.at(-1)?.place ?? null)
      expect(ids(first.map(({ job }) => job))).toEqual(['t5', 't4', 't3'])
      expect(ids(rest.map(({ job }) => job))).toEqual(['t2', 't1', 't0'])
    })

    it('goes on after a job that had no number yet', () => {
      for (const taskId of ['a', 'b', 'c']) at.store.begin(someStart(taskId, { startedAt: 100 }))
      const after = { startedAt: 100, attemptId: Infinity, taskId: 'b' }
      expect(ids(at.store.page({ limit: 9 }, after).map(({ job }) => job))).toEqual(['c', 'a'])
    })
  })
}
