import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JobInList, ListPlace } from '../../src/model/listed-job.ts'
import { attemptStatuses } from '../../src/model/outcome.ts'
import { StoreError } from '../../src/store/errors.ts'
import type { Ledger } from '../../src/store/ledger/ledger.ts'
import type { LedgerReader } from '../../src/store/ledger/ledger-reader.ts'
import type { RecordQuery } from '../../src/store/ledger/store.ts'
import type { SeriesQuery } from '../../src/store/series/series.ts'
import { anyEnd, anyMarks, anyStart } from './any-attempt.ts'
import { anyDevices, anySamples } from './any-series.ts'
import { someEnd, someSamples, someStart } from './attempts.ts'
import { anyListed, anyPageQuery, fillList } from './store/pages.ts'
import { someRun, someWorkflow, WorkflowInLedger } from './workflows.ts'

/** A ledger to write to, and somebody who answers questions about it. */
export interface ReaderUnderTest {
  readonly ledger: Ledger
  readonly reader: LedgerReader
  /** What was written is known to the reader from then on. */
  settle(): Promise<void>
  dispose(): Promise<void>
}

/** The same with figures that something can have: whoever reads what many have written takes no others in. */
function believable<T>(value: T): T {
  if (typeof value === 'number') return (value % 1e11) as T
  if (Array.isArray(value)) return value.map(believable) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, believable(inner)] as const)
  return Object.fromEntries(entries) as T
}

const anyQuery: fc.Arbitrary<RecordQuery> = fc.record(
  {
    limit: fc.integer({ min: 1, max: 12 }),
    tool: fc.constantFrom('python3', 'sh', ['sh', 'python3']),
    tag: fc.constantFrom('nightly', 'x'),
    status: fc.subarray([...attemptStatuses], { minLength: 1 }),
    startedSince: fc.integer({ min: 1_690_000_000, max: 1_700_000_000 }),
    inAnyCase: fc.boolean(),
  },
  { requiredKeys: [] },
)

async function gather<T>(portions: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = []
  for await (const portion of portions) all.push(...portion)
  return all
}

/** What everybody who answers questions about a ledger must do: answer as the ledger itself would. */
export function readerContract(name: string, open: () => Promise<ReaderUnderTest>): void {
  describe(`${name} as a reader`, () => {
    let opened: ReaderUnderTest
    let ledger: Ledger
    let reader: LedgerReader
    beforeEach(async () => {
      opened = await open()
      ;({ ledger, reader } = opened)
    })
    afterEach(() => opened.dispose())

    it('answers every query of records as the ledger does', async () => {
      const attempts = fc.sample(fc.tuple(anyStart, anyEnd), { numRuns: 40, seed: 5 })
      for (const [index, [start, end]] of believable(attempts).entries()) {
        // Within some months: who keeps records by month has no place for one of the year 9000.
        const startedAt = 1_690_000_000 + (start.startedAt % 10_000_000)
        ledger.jobs.finish(ledger.jobs.begin({ ...start, startedAt, taskId: `${index}` }), end)
      }
      await opened.settle()
      await fc.assert(
        fc.asyncProperty(anyQuery, async (query) => {
          const { jobs } = ledger
          expect(await reader.jobs.find(query)).toEqual(jobs.find(query))
          expect(await reader.jobs.count(query)).toBe(jobs.count(query))
          for (const order of ['oldest first', 'newest first'] as const)
            expect(await gather(reader.jobs.each(query, order))).toEqual([
              ...jobs.each(query, order),
            ])
          const page = { limit: 7, ...query }
          const listed = jobs.page(page, null)
          expect(await reader.jobs.page(page, null)).toEqual(listed)
          const after = listed.at(-1)?.place ?? null
          expect(await reader.jobs.page(page, after)).toEqual(jobs.page(page, after))
          const keys = ['cpuTotalSeconds', 'memoryPeakBytes'] as const
          expect(await reader.jobs.findBrief(query, keys)).toEqual(jobs.findBrief(query, keys))
        }),
        { numRuns: 60 },
      )
      expect(await reader.jobs.tally()).toEqual(ledger.jobs.tally())
      expect(await reader.jobs.countedAfter(3, 30)).toEqual(ledger.jobs.countedAfter(3, 30))
      expect(await reader.jobs.countedById([1, 7])).toEqual(ledger.jobs.countedById([1, 7]))
    })

    it('finds what people look for, page by page, as the ledger does', async () => {
      fillList(ledger.jobs, fc.sample(anyListed, { numRuns: 120, seed: 14 }))
      await opened.settle()
      await fc.assert(
        fc.asyncProperty(anyPageQuery, fc.integer({ min: 1, max: 40 }), async (query, limit) => {
          const { jobs } = ledger
          expect(await reader.jobs.find(query)).toEqual(jobs.find(query))
          expect(await reader.jobs.count(query)).toBe(jobs.count(query))
          let after: ListPlace | null = null
          for (;;) {
            const page: JobInList[] = jobs.page({ ...query, limit }, after)
            expect(await reader.jobs.page({ ...query, limit }, after)).toEqual(page)
            if (page.length < limit) break
            after = page.at(-1)?.place ?? null
          }
        }),
        { numRuns: 150 },
      )
    })

    it('goes on after a job that had no number yet', async () => {
      for (const taskId of ['a', 'b', 'c'])
        ledger.jobs.begin(someStart(taskId, { startedAt: 1_700_000_000 }))
      await opened.settle()
      const after = { startedAt: 1_700_000_000, attemptId: Infinity, taskId: 'b' }
      expect(await reader.jobs.page({ limit: 9 }, after)).toEqual(
        ledger.jobs.page({ limit: 9 }, after),
      )
    })

    it('finds a job by the start of its id, with its samples', async () => {
      const attempt = ledger.jobs.begin(someStart('abc123'))
      const writer = ledger.jobs.writer(attempt)
      writer.add(someSamples(3), 3)
      const columns = ['timestamp', 'elapsed_seconds', 'watts']
      const rows = Float64Array.of(100, 1, 7)
      writer.addDevice({ kind: 'gpu', id: '0', columns, rows, count: 1 })
      ledger.jobs.addMarks('abc123', fc.sample(anyMarks, { numRuns: 1, seed: 3 }).flat())
      ledger.jobs.begin(someStart('abd777'))
      await opened.settle()
      const found = await reader.jobs.findByPrefix('abc')
      expect(found.map(({ taskId }) => taskId)).toEqual(['abc123'])
      expect(await reader.jobs.findByPrefix('ab')).toHaveLength(2)
      const series = ledger.jobs.series('abc123')
      expect(await reader.jobs.series('abc123')).toEqual(series.read())
      const query = { fromSeconds: 1, columns: ['memory_bytes'] }
      expect(await reader.jobs.series('abc123', query)).toEqual(series.read(query))
      expect(await reader.jobs.devices('abc123')).toEqual(series.devices())
      expect(await reader.jobs.devices('abc123', { fromSeconds: 2 })).toEqual([])
      expect((await reader.jobs.series('none')).rows).toEqual([])
      expect(await reader.jobs.marks('abc123')).toEqual(ledger.jobs.marks('abc123'))
      expect((await reader.jobs.marks('abc123')).length).toBeGreaterThan(0)
    })

    it('gives any samples, and those of any devices, as the ledger does', async () => {
      const all = fc.sample(fc.tuple(anySamples, anyDevices), { numRuns: 30, seed: 9 })
      for (const [index, [{ columns, rows }, devices]] of all.entries()) {
        const writer = ledger.jobs.writer(ledger.jobs.begin(someStart(`s${index}`)), columns)
        const time = columns.indexOf('elapsed_seconds')
        // Every second one as a clock writes them, which is what `newest` is for.
        const inTurn = rows.toSorted((one, other) => (one[time] ?? 0) - (other[time] ?? 0))
        for (const row of index % 2 === 0 ? rows : inTurn) writer.add(row, 1)
        for (const device of devices) writer.addDevice(device)
      }
      await opened.settle()
      for (const index of all.keys()) {
        const taskId = `s${index}`
        const kept = ledger.jobs.series(taskId)
        const queries: SeriesQuery[] = [
          {},
          { fromSeconds: 3 },
          { fromSeconds: 2, toSeconds: 7 },
          { columns: ['memory_bytes', 'never_heard_of', 'elapsed_seconds'] },
          ...(index % 2 === 0 ? [] : [{ newest: 2 }, { newest: 1, fromSeconds: 4 }]),
        ]
        for (const query of queries)
          expect(await reader.jobs.series(taskId, query)).toEqual(kept.read(query))
        for (const range of [{}, { fromSeconds: 3 }, { toSeconds: 5 }]) {
          expect(await reader.jobs.devices(taskId, range)).toEqual(kept.devices(range))
          const asked = ['memory_bytes', 'elapsed_seconds', 'never_heard_of']
          expect(await reader.jobs.seriesColumns(taskId, asked, range)).toEqual(
            kept.readColumns(asked, range),
          )
        }
      }
    })

    it('gives a series of many chunks, and its last rows, as the ledger does', async () => {
      const writer = ledger.jobs.writer(ledger.jobs.begin(someStart('long')))
      writer.add(someSamples(1500), 1500)
      await opened.settle()
      const kept = ledger.jobs.series('long')
      const queries = [{}, { newest: 3 }, { newest: 600 }, { fromSeconds: 700, toSeconds: 711 }]
      for (const query of queries)
        expect(await reader.jobs.series('long', query)).toEqual(kept.read(query))
    })

    it('gives many records in portions, each of them once', async () => {
      ledger.batch(() => {
        for (let index = 0; index < 700; index += 1)
          ledger.jobs.begin(someStart(`${index}`, { startedAt: 1_700_000_000 + index }))
      })
      await opened.settle()
      let portions = 0
      const seen = new Set<string>()
      for await (const records of reader.jobs.each({}, 'oldest first')) {
        portions += 1
        for (const { taskId } of records) seen.add(taskId)
      }
      expect(seen.size).toBe(700)
      expect(portions).toBeGreaterThan(1)
    })

    it('answers about benchmarks as the ledger does', async () => {
      const definition = {
        name: 'solve',
        command: ['solve', '{cpus}'],
        runs: 2,
        warmup: 0,
        matrix: [{ name: 'cpus', values: ['1', '2'] }],
        params: { mesh: [64] },
      }
      const { benchmarks } = ledger
      const first = benchmarks.begin(definition, 100)
      benchmarks.addRun(first, { taskId: 'a', cell: { cpus: '1' }, runNumber: 1, isWarmUp: true })
      benchmarks.addRun(first, { taskId: 'b', cell: { cpus: '2' }, runNumber: 1, isWarmUp: false })
      benchmarks.end(first, 200)
      const second = benchmarks.begin(definition, 300)
      benchmarks.saveBaseline('v1', second, 301)
      benchmarks.saveBaseline('v1', first, 302)
      await opened.settle()
      expect(await reader.benchmarks.list()).toEqual(benchmarks.list())
      expect(await reader.benchmarks.list()).toMatchObject([
        { id: second, definition, endedAt: null, baselines: [], runCount: 0 },
        { id: first, definition, startedAt: 100, endedAt: 200, baselines: ['v1'], runCount: 2 },
      ])
      expect(await reader.benchmarks.find(first)).toEqual(benchmarks.find(first))
      expect((await reader.benchmarks.findByName('solve'))?.id).toBe(second)
      expect((await reader.benchmarks.findBaseline('v1'))?.id).toBe(first)
      expect(await reader.benchmarks.find(99)).toBeUndefined()
      expect(await reader.benchmarks.runs(first)).toEqual([
        { taskId: 'a', cell: { cpus: '1' }, runNumber: 1, isWarmUp: true },
        { taskId: 'b', cell: { cpus: '2' }, runNumber: 1, isWarmUp: false },
      ])
    })

    it('answers about workflows as the ledger does', async () => {
      const workflow = new WorkflowInLedger(ledger, someWorkflow(['a', 'b', 'c']))
      const first = ledger.workflows.beginRun(workflow.id, someRun)
      workflow.end(workflow.begin('a', first, 1))
      workflow.end(workflow.begin('b', first, 1), 'failed')
      const second = ledger.workflows.beginRun(workflow.id, someRun)
      workflow.end(workflow.begin('b', second, 2))
      const other = new WorkflowInLedger(ledger, someWorkflow(['a']))
      ledger.jobs.finish(ledger.jobs.begin(someStart('single')), someEnd())
      await opened.settle()
      const { workflows } = ledger
      expect(await reader.workflows.newestWorkflowId()).toBe(other.id)
      expect(await reader.workflows.listWorkflows()).toEqual(workflows.listWorkflows())
      for (const id of [workflow.id, other.id, 99]) {
        expect(await reader.workflows.findWorkflow(id)).toEqual(workflows.findWorkflow(id))
        expect(await reader.workflows.findWorkflowRow(id)).toEqual(workflows.findWorkflowRow(id))
        expect(await reader.workflows.runs(id)).toEqual(workflows.runs(id))
        for (const query of [
          {},
          { allRuns: true },
          { runId: 1 },
          { status: ['failed'] },
          { leftSomething: true },
        ] as const) {
          expect(await reader.workflows.results(id, query)).toEqual(workflows.results(id, query))
          expect(await reader.workflows.utilizationRows(id, query)).toEqual(
            workflows.utilizationRows(id, query),
          )
          const brief = [id, query, ['cpuTotalSeconds'], (result: unknown) => result] as const
          expect(await reader.workflows.briefResults(...brief)).toEqual(
            workflows.briefResults(...brief),
          )
        }
      }
      for (const [query, earlier] of [
        [{}, 1],
        [{ status: ['failed'] }, 1],
        [{ status: ['success'] }, 0],
        [{ jobId: workflow.jobId('b') }, 1],
        [{ jobId: workflow.jobId('a') }, 0],
      ] as const)
        expect(await reader.workflows.countEarlier(workflow.id, query)).toBe(earlier)
      expect(await reader.workflows.countEarlier(other.id, {})).toBe(0)
      workflows.mendWorkflow(workflow.id, {
        ...someWorkflow(['a', 'c']),
        states: ['success', 'waiting'],
      })
      await opened.settle()
      // It left the workflow: none of its attempts is just an earlier one.
      expect(await reader.workflows.countEarlier(workflow.id, {})).toBe(0)
      workflows.endRun(workflow.id, second, 500)
      const last = workflows.beginRun(other.id, { ...someRun, startedAt: 50 })
      await opened.settle()
      const recent = [
        { workflowId: other.id, runId: last, startedAt: 50, endedAt: null },
        { workflowId: workflow.id, runId: second, startedAt: someRun.startedAt, endedAt: 500 },
      ]
      expect(await reader.workflows.recentRuns(500, 9)).toEqual(recent)
      expect(await reader.workflows.recentRuns(500, 1)).toEqual(recent.slice(0, 1))
      expect(await reader.workflows.recentRuns(501, 9)).toEqual(recent.slice(0, 1))
      for (const query of [{ name: 'a' }, { workflowId: workflow.id }, { jobId: 1 }, { name: 'z' }])
        expect(await reader.workflows.findJobs(query)).toEqual(workflows.findJobs(query))
    })

    it('knows of nothing where nothing is kept', async () => {
      expect(await reader.jobs.find({})).toEqual([])
      expect(await gather(reader.jobs.each({}, 'newest first'))).toEqual([])
      expect(await reader.jobs.count({})).toBe(0)
      expect(await reader.workflows.newestWorkflowId()).toBeUndefined()
      expect(await reader.workflows.listWorkflows()).toEqual([])
    })

    it('refuses by a rejection, never by throwing at once', async () => {
      await reader.close()
      const asked = reader.jobs.find({})
      await expect(asked).rejects.toThrow(StoreError)
    })
  })
}
