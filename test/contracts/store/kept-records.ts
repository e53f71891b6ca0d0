import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleWidth } from '../../synthetic/sample-width.ts'
import { sampleIndex } from '../../../src/model/sample.ts'
import { emptyUsage } from '../../../src/model/usage.ts'
import { anyEnd, anyMarks, anyStart } from '../any-attempt.ts'
import { recordWithEnd, someEnd, someSamples, someStart } from '../attempts.ts'
import { ids, type FreshStore } from './fresh-store.ts'

/** How attempts and their samples are kept and found. */
export function keptRecordsContract(at: FreshStore): void {
  describe('records', () => {
    it('gives back every field of any attempt', () => {
      let made = 0
      fc.assert(
        fc.property(anyStart, anyEnd, (anyOne, end) => {
          const start = { ...anyOne, taskId: `task-${made++}.` }
          const ref = at.store.begin(start)
          at.store.finish(ref, end)
          expect(at.store.findByPrefix(start.taskId)).toEqual([recordWithEnd(start, ref, end)])
        }),
        { numRuns: 60 },
      )
    })

    it('gives back any marks of an attempt, those that are told last, and of no other', () => {
      let made = 0
      fc.assert(
        fc.property(anyMarks, anyMarks, (marks, later) => {
          const ref = at.store.begin(someStart(`marked-${made++}`))
          at.store.addMarks(ref.taskId, later)
          expect(at.store.marks(ref.taskId)).toEqual(later)
          at.store.finish(ref, { ...someEnd(), marks })
          expect(at.store.marks(ref.taskId)).toEqual(marks)
        }),
        { numRuns: 30 },
      )
      at.store.addMarks('unknown', fc.sample(anyMarks, 1).flat())
      expect(at.store.marks('unknown')).toEqual([])
    })

    it('keeps huge parameters whole', () => {
      const params = { text: 'ß\0"'.repeat(1_000_000) }
      at.store.begin(someStart('a', { job: { params } }))
      expect(at.store.find({})[0]?.params).toEqual(params)
    })

    it('shows an attempt as running until it ends', () => {
      const ref = at.store.begin(someStart('a', { intervalSeconds: 5 }))
      at.store.writer(ref).add(someSamples(3), 3)
      expect(at.store.find({})).toMatchObject([
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
      expect(at.store.running()).toEqual([
        {
          taskId: 'a',
          workflowId: null,
          isElsewhere: false,
          owner: someStart('a').owner,
          heardAt: someStart('a').startedAt,
        },
      ])
      at.store.finish(ref, someEnd())
      expect(at.store.running()).toEqual([])
    })

    it('stores a figure that is not a number as not measured', () => {
      const usage = { ...emptyUsage(''), readBytes: { value: Infinity, basis: 'io' } }
      at.store.finish(at.store.begin(someStart('a')), someEnd({ usage }))
      expect(at.store.find({})[0]?.usage.readBytes).toEqual({
        value: null,
        why: 'no usable value came from: io',
      })
    })

    it('never gives two attempts one number', () => {
      const first = at.store.begin(someStart('a', { startedAt: 1 }))
      at.store.finish(first, someEnd())
      at.store.prune(2)
      expect(at.store.begin(someStart('b')).jobId).not.toBe(first.jobId)
    })

    it('refuses a second attempt of the same id and keeps the first', () => {
      at.store.begin(someStart('a'))
      expect(() => at.store.begin(someStart('a', { user: 'eve' }))).toThrow(Error)
      expect(at.store.find({})).toMatchObject([{ taskId: 'a', user: 'ada' }])
    })
  })

  describe('find', () => {
    it('answers newest first, and by order of arrival where the time is the same', () => {
      for (const [taskId, startedAt] of Object.entries({ a: 20, b: 30, c: 10, d: 20 }))
        at.store.begin(someStart(taskId, { startedAt }))
      expect(ids(at.store.find({}))).toEqual(['b', 'd', 'a', 'c'])
      expect(ids(at.store.find({ limit: 2 }))).toEqual(['b', 'd'])
      expect(at.store.find({ limit: 0 })).toEqual([])
    })

    it('filters by tool, status and time, alone and together', () => {
      at.store.begin(someStart('a', { startedAt: 10, job: { tool: 'make' } }))
      at.store.begin(someStart('b', { startedAt: 20, job: { tool: 'make' } }))
      const ref = at.store.begin(someStart('c', { startedAt: 30, job: { tool: "ma'ke" } }))
      at.store.finish(ref, someEnd())
      expect(ids(at.store.find({ tool: 'make' }))).toEqual(['b', 'a'])
      expect(ids(at.store.find({ tool: "ma'ke" }))).toEqual(['c'])
      expect(ids(at.store.find({ tool: 'ma%' }))).toEqual([])
      expect(ids(at.store.find({ status: 'running' }))).toEqual(['b', 'a'])
      expect(ids(at.store.find({ status: 'success' }))).toEqual(['c'])
      expect(ids(at.store.find({ startedSince: 20 }))).toEqual(['c', 'b'])
      expect(ids(at.store.find({ name: 'train' }))).toEqual(ids(at.store.find({})))
      expect(ids(at.store.find({ name: 'train', limit: 1 }))).toEqual(
        ids(at.store.find({ limit: 1 })),
      )
      expect(ids(at.store.find({ name: 'trai' }))).toEqual([])
      expect(ids(at.store.find({ tool: ["ma'ke", 'make'] }))).toEqual(['c', 'b', 'a'])
      expect(ids(at.store.find({ status: ['success', 'failed'] }))).toEqual(['c'])
      expect(at.store.find({ tool: [] })).toEqual([])
      expect(at.store.count({ tool: 'make', limit: 1 })).toBe(2)
      expect(ids(at.store.find({ tool: 'make', startedSince: 20, limit: 5 }))).toEqual(['b'])
    })

    it('takes a prefix as it is written', () => {
      const names = ['ab', 'aB', 'abc', 'a%c', 'a_c', "a'c", 'a\0c', 'a\u{10ffff}', 'b']
      names.forEach((taskId, index) =>
        at.store.begin(someStart(taskId, { startedAt: 100 - index })),
      )
      expect(ids(at.store.findByPrefix('ab'))).toEqual(['ab', 'abc'])
      expect(ids(at.store.findByPrefix('a%'))).toEqual(['a%c'])
      expect(ids(at.store.findByPrefix('a_'))).toEqual(['a_c'])
      expect(ids(at.store.findByPrefix("a'"))).toEqual(["a'c"])
      expect(ids(at.store.findByPrefix('a\0'))).toEqual(['a\0c'])
      expect(ids(at.store.findByPrefix('%'))).toEqual([])
      expect(ids(at.store.findByPrefix(''))).toEqual(names)
    })
  })

  describe('samples', () => {
    it('come back as they were, those that were not measured too', () => {
      const ref = at.store.begin(someStart('a'))
      const rows = someSamples(3, { swap_bytes: [Number.NaN, 7, Number.NaN] })
      at.store.writer(ref).add(rows, 2)
      at.store.writer(ref).add(rows.subarray(2 * sampleWidth), 1)
      const kept = at.store.series('a').read().rows
      expect(kept).toHaveLength(3)
      expect(kept.flatMap((row) => [...row])).toEqual([...rows])
      expect(at.store.series('b').read().rows).toEqual([])
    })

    it('keeps any numbers exactly', () => {
      const width = { minLength: sampleWidth, maxLength: sampleWidth }
      let made = 0
      fc.assert(
        fc.property(fc.array(fc.double(), width), (figures) => {
          const row = Float64Array.from(figures, (figure) => (figure === 0 ? 0 : figure))
          const taskId = `task ${made++}`
          at.store.writer(at.store.begin(someStart(taskId))).add(row, 1)
          expect(at.store.series(taskId).read().rows).toEqual([row])
        }),
        { numRuns: 50 },
      )
    })

    it('takes only so many rows of the buffer as it is told', () => {
      const ref = at.store.begin(someStart('a'))
      at.store.writer(ref).add(someSamples(10), 4)
      at.store.writer(ref).add(someSamples(10), 0)
      expect(at.store.series('a').read().rows).toHaveLength(4)
    })

    it('are in order of time, each with its own attempt', () => {
      const [a, b] = [at.store.begin(someStart('a')), at.store.begin(someStart('b'))]
      at.store.writer(a).add(someSamples(2, { elapsed_seconds: [3, 1] }), 2)
      at.store.writer(b).add(someSamples(1, { elapsed_seconds: [9] }), 1)
      at.store.writer(a).add(someSamples(1, { elapsed_seconds: [2] }), 1)
      const times = at.store
        .series('a')
        .read()
        .rows.map((row) => row[sampleIndex.elapsed_seconds])
      expect(times).toEqual([1, 2, 3])
    })
  })
}
