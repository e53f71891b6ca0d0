import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isLowerBound, measured } from '../../src/model/measured.ts'
import { sampleWidth } from '../synthetic/sample-width.ts'
import { sampleIndex } from '../../src/model/sample.ts'
import { emptyUsage } from '../../src/model/usage.ts'
import type { Store } from '../../src/store/ledger/store.ts'
import { anyEnd, anyStart } from './any-attempt.ts'
import { recordWithEnd, someEnd, someSamples, someStart } from './attempts.ts'

/** A new, empty ledger for one test. */
export interface StoreUnderTest {
  readonly store: Store
  /** Another store on the same ledger; the first stays open. The test closes it. */
  reopen(): Store
  /** Closes `store` and takes the ledger away. */
  dispose(): Promise<void>
}

/** What every engine that keeps the ledger must do. */
export function storeContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`${name} as a store`, () => {
    let opened: StoreUnderTest
    let store: Store
    beforeEach(async () => {
      opened = await open()
      store = opened.store
    })
    afterEach(() => opened.dispose())

    const ids = (records: readonly { taskId: string }[]) => records.map(({ taskId }) => taskId)

    describe('records', () => {
      it('gives back every field of any attempt', () => {
        let made = 0
        fc.assert(
          fc.property(anyStart, anyEnd, (anyOne, end) => {
            const start = { ...anyOne, taskId: `task-${made++}.` }
            const ref = store.begin(start)
            store.finish(ref, end)
            expect(store.findByPrefix(start.taskId)).toEqual([recordWithEnd(start, ref, end)])
          }),
          { numRuns: 60 },
        )
      })

      it('keeps huge parameters whole', () => {
        const params = { text: 'ß\0"'.repeat(1_000_000) }
        store.begin(someStart('a', { job: { params } }))
        expect(store.find({})[0]?.params).toEqual(params)
      })

      it('shows an attempt as running until it ends', () => {
        const ref = store.begin(someStart('a', { intervalSeconds: 5 }))
        store.writer(ref).add(someSamples(3), 3)
        expect(store.find({})).toMatchObject([
          {
            taskId: 'a',
            status: 'running',
            endedAt: null,
            durationSeconds: null,
            exitCode: null,
            samples: { collected: 3, intervalSeconds: 5, late: 0, ownCpuSeconds: null },
            usage: emptyUsage('the job has not ended yet'),
          },
        ])
        expect(store.running()).toEqual([
          { taskId: 'a', owner: someStart('a').owner, heardAt: someStart('a').startedAt },
        ])
        store.finish(ref, someEnd())
        expect(store.running()).toEqual([])
      })

      it('stores a figure that is not a number as not measured', () => {
        const usage = { ...emptyUsage(''), readBytes: { value: Infinity, basis: 'io' } }
        store.finish(store.begin(someStart('a')), someEnd({ usage }))
        expect(store.find({})[0]?.usage.readBytes).toEqual({
          value: null,
          why: 'io gave no number',
        })
      })

      it('never gives two attempts one number', () => {
        const first = store.begin(someStart('a', { startedAt: 1 }))
        store.finish(first, someEnd())
        store.prune(2)
        expect(store.begin(someStart('b')).jobId).not.toBe(first.jobId)
      })

      it('refuses a second attempt of the same id and keeps the first', () => {
        store.begin(someStart('a'))
        expect(() => store.begin(someStart('a', { user: 'eve' }))).toThrow(Error)
        expect(store.find({})).toMatchObject([{ taskId: 'a', user: 'ada' }])
      })
    })

    describe('find', () => {
      it('answers newest first, and by order of arrival where the time is the same', () => {
        for (const [taskId, startedAt] of Object.entries({ a: 20, b: 30, c: 10, d: 20 }))
          store.begin(someStart(taskId, { startedAt }))
        expect(ids(store.find({}))).toEqual(['b', 'd', 'a', 'c'])
        expect(ids(store.find({ limit: 2 }))).toEqual(['b', 'd'])
        expect(store.find({ limit: 0 })).toEqual([])
      })

      it('filters by tool, status and time, alone and together', () => {
        store.begin(someStart('a', { startedAt: 10, job: { tool: 'make' } }))
        store.begin(someStart('b', { startedAt: 20, job: { tool: 'make' } }))
        const ref = store.begin(someStart('c', { startedAt: 30, job: { tool: "ma'ke" } }))
        store.finish(ref, someEnd())
        expect(ids(store.find({ tool: 'make' }))).toEqual(['b', 'a'])
        expect(ids(store.find({ tool: "ma'ke" }))).toEqual(['c'])
        expect(ids(store.find({ tool: 'ma%' }))).toEqual([])
        expect(ids(store.find({ status: 'running' }))).toEqual(['b', 'a'])
        expect(ids(store.find({ status: 'success' }))).toEqual(['c'])
        expect(ids(store.find({ startedSince: 20 }))).toEqual(['c', 'b'])
        expect(ids(store.find({ name: 'train' }))).toEqual(ids(store.find({})))
        expect(ids(store.find({ name: 'train', limit: 1 }))).toEqual(ids(store.find({ limit: 1 })))
        expect(ids(store.find({ name: 'trai' }))).toEqual([])
        expect(ids(store.find({ tool: ["ma'ke", 'make'] }))).toEqual(['c', 'b', 'a'])
        expect(ids(store.find({ status: ['success', 'failed'] }))).toEqual(['c'])
        expect(store.find({ tool: [] })).toEqual([])
        expect(store.count({ tool: 'make', limit: 1 })).toBe(2)
        expect(ids(store.find({ tool: 'make', startedSince: 20, limit: 5 }))).toEqual(['b'])
      })

      it('takes a prefix as it is written', () => {
        const names = ['ab', 'aB', 'abc', 'a%c', 'a_c', "a'c", 'a\0c', 'a\u{10ffff}', 'b']
        names.forEach((taskId, index) => store.begin(someStart(taskId, { startedAt: 100 - index })))
        expect(ids(store.findByPrefix('ab'))).toEqual(['ab', 'abc'])
        expect(ids(store.findByPrefix('a%'))).toEqual(['a%c'])
        expect(ids(store.findByPrefix('a_'))).toEqual(['a_c'])
        expect(ids(store.findByPrefix("a'"))).toEqual(["a'c"])
        expect(ids(store.findByPrefix('a\0'))).toEqual(['a\0c'])
        expect(ids(store.findByPrefix('%'))).toEqual([])
        expect(ids(store.findByPrefix(''))).toEqual(names)
      })
    })

    describe('samples', () => {
      it('come back as they were, those that were not measured too', () => {
        const ref = store.begin(someStart('a'))
        const rows = someSamples(3, { swap_bytes: [Number.NaN, 7, Number.NaN] })
        store.writer(ref).add(rows, 2)
        store.writer(ref).add(rows.subarray(2 * sampleWidth), 1)
        const kept = store.series('a').read().rows
        expect(kept).toHaveLength(3)
        expect(kept.flatMap((row) => [...row])).toEqual([...rows])
        expect(store.series('b').read().rows).toEqual([])
      })

      it('keeps any numbers exactly', () => {
        const width = { minLength: sampleWidth, maxLength: sampleWidth }
        let made = 0
        fc.assert(
          fc.property(fc.array(fc.double(), width), (figures) => {
            const row = Float64Array.from(figures, (figure) => (figure === 0 ? 0 : figure))
            const taskId = `task ${made++}`
            store.writer(store.begin(someStart(taskId))).add(row, 1)
            expect(store.series(taskId).read().rows).toEqual([row])
          }),
          { numRuns: 50 },
        )
      })

      it('takes only so many rows of the buffer as it is told', () => {
        const ref = store.begin(someStart('a'))
        store.writer(ref).add(someSamples(10), 4)
        store.writer(ref).add(someSamples(10), 0)
        expect(store.series('a').read().rows).toHaveLength(4)
      })

      it('are in order of time, each with its own attempt', () => {
        const [a, b] = [store.begin(someStart('a')), store.begin(someStart('b'))]
        store.writer(a).add(someSamples(2, { elapsed_seconds: [3, 1] }), 2)
        store.writer(b).add(someSamples(1, { elapsed_seconds: [9] }), 1)
        store.writer(a).add(someSamples(1, { elapsed_seconds: [2] }), 1)
        const times = store
          .series('a')
          .read()
          .rows.map((row) => row[sampleIndex.elapsed_seconds])
        expect(times).toEqual([1, 2, 3])
      })
    })

    describe('interrupt', () => {
      it('keeps the samples and takes from them what they prove', () => {
        const ref = store.begin(someStart('a', { startedAt: 100, intervalSeconds: 2 }))
        const samples = someSamples(3, {
          elapsed_seconds: [0, 2, 4],
          cpu_user_seconds: [0, 1, 1.5],
          cpu_system_seconds: [0, 0.25, 0.5],
          memory_bytes: [10, 900, 30],
        })
        store.writer(ref).add(samples, 3)
        expect(store.interrupt('a', 'its runner is gone')).toBe(true)
        const basis = 'last sample before the runner died'
        const usage = {
          ...emptyUsage('the runner was killed'),
          cpuUserSeconds: measured(1.5, basis),
          cpuSystemSeconds: measured(0.5, basis),
          cpuTotalSeconds: measured(2, basis),
          memoryPeakBytes: measured(900, basis),
        }
        expect(store.find({})).toMatchObject([
          {
            status: 'interrupted',
            reason: 'its runner is gone',
            endedAt: 104,
            durationSeconds: 4,
            exitCode: null,
            usage,
            samples: { collected: 3, intervalSeconds: 2, late: 0, ownCpuSeconds: null },
          },
        ])
        expect(store.series('a').read().rows).toHaveLength(3)
      })

      it('does it once', () => {
        store.begin(someStart('a'))
        expect(store.interrupt('a', 'first')).toBe(true)
        const once = store.find({})
        expect(store.interrupt('a', 'second')).toBe(false)
        expect(store.find({})).toEqual(once)
        expect(once).toMatchObject([{ reason: 'first', endedAt: null, durationSeconds: null }])
        expect(store.running()).toEqual([])
      })

      it('leaves alone what has ended or never was', () => {
        const end = someEnd()
        const start = someStart('a')
        const ref = store.begin(start)
        store.finish(ref, end)
        expect(store.interrupt('a', 'late')).toBe(false)
        expect(store.interrupt('b', 'nobody')).toBe(false)
        expect(store.find({})).toEqual([recordWithEnd(start, ref, end)])
      })

      it('gives way to an owner who was not dead after all', () => {
        const start = someStart('a')
        const ref = store.begin(start)
        store.interrupt('a', 'thought dead')
        store.finish(ref, someEnd())
        expect(store.find({})).toEqual([recordWithEnd(start, ref, someEnd())])
      })
    })

    describe('a shorter way', () => {
      const none = { value: null }
      const keys = ['cpuTotalSeconds', 'memoryPeakBytes', 'readBytes', 'cpuPercentMean'] as const

      it('to a few figures tells the same as whole records', () => {
        let made = 0
        fc.assert(
          fc.property(anyStart, anyEnd, (anyOne, end) => {
            const start = { ...anyOne, taskId: `brief-${made++}` }
            store.finish(store.begin(start), end)
            const [whole] = store.findByPrefix(start.taskId)
            const brief = store
              .findBrief({ name: start.job.name }, keys)
              .find(({ taskId }) => taskId === start.taskId)
            for (const key of keys) {
              const [told, known] = [brief?.usage[key], whole?.usage[key]]
              expect(told?.value).toBe(known?.value)
              expect(isLowerBound(told ?? none)).toBe(isLowerBound(known ?? none))
            }
            expect(whole).toMatchObject({ ...brief, usage: {} })
          }),
          { numRuns: 100 },
        )
        store.begin(someStart('runs'))
        const runs = store.findBrief({ status: 'running' }, keys)
        expect(runs).toMatchObject([{ taskId: 'runs', usage: { readBytes: { value: null } } }])
      })

      it('to runs with a tag takes it as it is written', () => {
        const tags = { a: ['v1'], b: ['x"v1', 'v'], c: ['v2', 'v1'], d: [] }
        for (const [taskId, own] of Object.entries(tags))
          store.begin(someStart(taskId, { startedAt: 1, job: { tags: own } }))
        expect(ids(store.find({ tag: 'v1' }))).toEqual(['c', 'a'])
        expect(ids(store.find({ tag: 'x"v1' }))).toEqual(['b'])
        expect(ids(store.find({ tag: 'v%' }))).toEqual([])
      })

      it('to all records, one after the other, leaves none out', () => {
        for (let made = 0; made < 1_203; made++)
          store.begin(someStart(`task-${made}`, { startedAt: made % 7 }))
        const newest = ids(store.find({}))
        expect(ids([...store.each({}, 'newest first')])).toEqual(newest)
        expect(ids([...store.each({}, 'oldest first')])).toEqual(newest.toReversed())
        expect(ids([...store.each({ limit: 500 }, 'newest first')])).toEqual(newest.slice(0, 500))
        expect(ids([...store.each({ limit: 501, startedSince: 3 }, 'newest first')])).toEqual(
          newest.slice(0, 501),
        )
        expect([...store.each({ tool: 'none' }, 'oldest first')]).toEqual([])
      })

      it('to sums by tool tells the same as all records', () => {
        const tools = ['make', 'gcc'] as const
        tools.forEach((tool, index) => {
          store.finish(
            store.begin(someStart(tool, { job: { tool } })),
            someEnd({ durationSeconds: index + 1 }),
          )
          store.begin(someStart(`${tool} runs`, { job: { tool } }))
        })
        const found = store.tally()
        expect(found).toHaveLength(4)
        expect(found).toContainEqual({
          tool: 'gcc',
          status: 'success',
          attempts: 1,
          durationSeconds: { known: 1, sum: 2 },
          cpuSeconds: { known: 1, sum: 3.25 },
        })
        expect(found).toContainEqual({
          tool: 'make',
          status: 'running',
          attempts: 1,
          durationSeconds: { known: 0, sum: 0 },
          cpuSeconds: { known: 0, sum: 0 },
        })
      })
    })

    describe('adopt', () => {
      const rows = someSamples(3)
      const nothing = { rows: new Float64Array(), count: 0 }

      it('takes an attempt that was written down elsewhere', () => {
        const start = someStart('a')
        const ref = store.adopt({ start, rows, count: 3, end: someEnd() })
        expect(store.find({})).toEqual([recordWithEnd(start, ref, someEnd())])
        expect(
          store
            .series('a')
            .read()
            .rows.flatMap((row) => [...row]),
        ).toEqual([...rows])
      })

      it('does no harm when done again', () => {
        const whole = { start: someStart('a'), rows, count: 3, end: someEnd() }
        const ref = store.adopt(whole)
        const once = store.find({})
        expect(store.adopt(whole)).toEqual(ref)
        expect(store.find({})).toEqual(once)
        expect(store.series('a').read().rows).toHaveLength(3)
      })

      it('adds what has been added since', () => {
        const start = someStart('a')
        const ref = store.adopt({ start, ...nothing, end: null })
        expect(store.running()).toEqual([
          { taskId: 'a', owner: start.owner, heardAt: start.startedAt },
        ])
        store.adopt({ start, rows, count: 2, end: null })
        expect(store.series('a').read().rows).toHaveLength(2)
        expect(store.adopt({ start, rows, count: 3, end: someEnd() })).toEqual(ref)
        expect(
          store
            .series('a')
            .read()
            .rows.flatMap((row) => [...row]),
        ).toEqual([...rows])
        expect(store.find({})).toEqual([recordWithEnd(start, ref, someEnd())])
      })

      it('takes nothing back from an attempt that the ledger knows more of', () => {
        const start = someStart('a')
        const ref = store.begin(start)
        store.writer(ref).add(rows, 3)
        expect(store.adopt({ start, rows, count: 1, end: null })).toEqual(ref)
        expect(store.series('a').read().rows).toHaveLength(3)
        store.finish(ref, someEnd())
        const other = someEnd({ endedAt: 1 })
        store.adopt({ start, rows: someSamples(5), count: 5, end: other })
        expect(store.find({})).toEqual([recordWithEnd(start, ref, someEnd())])
      })

      it('hears the end of one that was thought dead', () => {
        const start = someStart('a')
        const ref = store.begin(start)
        store.interrupt('a', 'thought dead')
        store.adopt({ start, ...nothing, end: someEnd() })
        expect(store.find({})).toEqual([recordWithEnd(start, ref, someEnd())])
      })
    })

    describe('prune', () => {
      it('deletes what ended and is old, with its samples, and nothing else', () => {
        for (const [taskId, startedAt] of Object.entries({ old: 10, edge: 20, young: 30 })) {
          const ref = store.begin(someStart(taskId, { startedAt }))
          store.writer(ref).add(someSamples(4), 4)
          store.finish(ref, someEnd())
        }
        store.writer(store.begin(someStart('runs', { startedAt: 5 }))).add(someSamples(1), 1)
        expect(store.prune(20)).toEqual({ attempts: 1, samples: 4 })
        expect(ids(store.find({}))).toEqual(['young', 'edge', 'runs'])
        expect(store.series('old').read().rows).toEqual([])
        expect(store.series('edge').read().rows).toHaveLength(4)
        expect(store.series('runs').read().rows).toHaveLength(1)
        expect(store.prune(20)).toEqual({ attempts: 0, samples: 0 })
      })

      it('deletes rows of devices too, and counts them', () => {
        const columns = ['timestamp', 'elapsed_seconds', 'watts']
        const rows = new Float64Array(3 * 6_000).fill(1)
        const ref = store.begin(someStart('old', { startedAt: 10 }))
        const writer = store.writer(ref)
        writer.add(someSamples(2), 2)
        writer.addDevice({ kind: 'gpu', id: '0', columns, rows, count: 6_000 })
        store.finish(ref, someEnd())
        expect(store.prunable(20)).toMatchObject({ attempts: 1, samples: 6_002 })
        expect(store.prune(20)).toEqual({ attempts: 1, samples: 6_002 })
        expect(store.series('old').devices()).toEqual([])
      })

      it('deletes more than fits one batch', () => {
        const rows = someSamples(5_003)
        for (let made = 0; made < 230; made++) {
          const ref = store.begin(someStart(`task-${made}`, { startedAt: made }))
          store.writer(ref).add(rows, made % 115 === 0 ? 5_003 : 1)
          store.finish(ref, someEnd())
        }
        expect(store.prune(1_000)).toEqual({ attempts: 230, samples: 2 * 5_003 + 228 })
        expect(store.find({})).toEqual([])
      })

      it('refuses the end of an attempt that was taken away meanwhile', () => {
        const ref = store.begin(someStart('a', { startedAt: 1 }))
        store.interrupt('a', 'thought dead')
        store.prune(2)
        expect(() => store.finish(ref, someEnd())).toThrow('a is not in the ledger any more')
        expect(() => store.writer(ref).add(someSamples(1), 1)).toThrow(Error)
        expect(store.find({})).toEqual([])
      })
    })

    describe('two at once', () => {
      it('see and do not disturb each other', () => {
        const other = opened.reopen()
        const mine = store.begin(someStart('mine', { startedAt: 1 }))
        const theirs = other.begin(someStart('theirs', { startedAt: 2 }))
        expect(mine.jobId).not.toBe(theirs.jobId)
        for (let round = 0; round < 20; round++) {
          store.writer(mine).add(someSamples(2), 2)
          other.writer(theirs).add(someSamples(3), 3)
        }
        store.finish(mine, someEnd())
        other.finish(theirs, someEnd())
        other.close()
        expect(ids(store.find({ status: 'success' }))).toEqual(['theirs', 'mine'])
        expect(store.series('mine').read().rows).toHaveLength(40)
        expect(store.series('theirs').read().rows).toHaveLength(60)
      })

      it('closes twice without harm, and what was written stays', () => {
        store.begin(someStart('a'))
        store.close()
        store.close()
        const again = opened.reopen()
        expect(ids(again.find({}))).toEqual(['a'])
        again.close()
      })
    })
  })
}
