import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { attemptStatuses } from '../../src/model/outcome.ts'
import { StoreError } from '../../src/store/errors.ts'
import type { Ledger } from '../../src/store/ledger/ledger.ts'
import type { LedgerReader } from '../../src/store/ledger/ledger-reader.ts'
import type { RecordQuery } from '../../src/store/ledger/store.ts'
import { anyEnd, anyStart } from './any-attempt.ts'
import { someEnd, someSamples, someStart } from './attempts.ts'
import { someRun, someWorkflow, WorkflowInLedger } from './workflows.ts'

/** A ledger to write to, and somebody who answers questions about it. */
export interface ReaderUnderTest {
  readonly ledger: Ledger
  readonly reader: LedgerReader
  /** What was written is known to the reader from then on. */
  settle(): Promise<void>
  dispose(): Promise<void>
}

const anyQuery: fc.Arbitrary<RecordQuery> = fc.record(
  {
    limit: fc.integer({ min: 1, max: 12 }),
    tool: fc.constantFrom('python3', 'sh', ['sh', 'python3']),
    tag: fc.constantFrom('nightly', 'x'),
    status: fc.subarray([...attemptStatuses], { minLength: 1 }),
    startedSince: fc.integer({ min: 0, max: 1_800_000_000 }),
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
      for (const [index, [start, end]] of attempts.entries())
        ledger.jobs.finish(ledger.jobs.begin({ ...start, taskId: `${index}` }), end)
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
          const keys = ['cpuTotalSeconds', 'memoryPeakBytes'] as const
          expect(await reader.jobs.findBrief(query, keys)).toEqual(jobs.findBrief(query, keys))
        }),
        { numRuns: 60 },
      )
      expect(await reader.jobs.tally()).toEqual(ledger.jobs.tally())
    })

    it('finds a job by the start of its id, with its samples', async () => {
      const attempt = ledger.jobs.begin(someStart('abc123'))
      const writer = ledger.jobs.writer(attempt)
      writer.add(someSamples(3), 3)
      const columns = ['timestamp', 'elapsed_seconds', 'watts']
      const rows = Float64Array.of(100, 1, 7)
      writer.addDevice({ kind: 'gpu', id: '0', columns, rows, count: 1 })
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
    })

    it('gives many records in portions, each of them once', async () => {
      ledger.batch(() => {
        for (let index = 0; index < 700; index += 1)
          ledger.jobs.begin(someStart(`${index}`, { startedAt: 1000 + index }))
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
