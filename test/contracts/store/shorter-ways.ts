import { atLeast, measured } from '../../../src/model/measured.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLowerBound } from '../../../src/model/measured.ts'
import { anyEnd, anyStart } from '../any-attempt.ts'
import { someEnd, someStart } from '../attempts.ts'
import { ids, type FreshStore } from './fresh-store.ts'

/** Less than whole records, for who needs no more. */
export function shorterWaysContract(at: FreshStore): void {
  describe('a shorter way', () => {
    const none = { value: null }
    const keys = ['cpuTotalSeconds', 'memoryPeakBytes', 'readBytes', 'cpuPercentMean'] as const

    it('to a few figures tells the same as whole records', () => {
      let made = 0
      fc.assert(
        fc.property(anyStart, anyEnd, (anyOne, end) => {
          const start = { ...anyOne, taskId: `brief-${made++}` }
          at.store.finish(at.store.begin(start), end)
          const [whole] = at.store.findByPrefix(start.taskId)
          const brief = at.store
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
      at.store.begin(someStart('runs'))
      const runs = at.store.findBrief({ status: 'running' }, keys)
      expect(runs).toMatchObject([{ taskId: 'runs', usage: { readBytes: { value: null } } }])
    })

    it('to what sums are made of goes on where it ended, and looks again at what ran', () => {
      const first = at.store.begin(someStart('a', { user: 'ada', job: { name: 'one' } }))
      at.store.finish(
        at.store.begin(someStart('b', { user: 'bob', job: { name: 'two' } })),
        someEnd(),
      )
      const begun = at.store.countedAfter(0, 10)
      expect(begun.isMore).toBe(false)
      expect(begun.attempts).toMatchObject([
        {
          attemptId: first.attemptId,
          user: 'ada',
          name: 'one',
          status: 'running',
          cpuSeconds: null,
        },
        { user: 'bob', name: 'two', status: 'success', durationSeconds: 12.5, cpuSeconds: 3.25 },
      ])
      expect(at.store.countedAfter(begun.lastId, 10)).toEqual({
        attempts: [],
        lastId: begun.lastId,
        isMore: false,
      })
      at.store.finish(first, someEnd({ durationSeconds: 2 }))
      const more = at.store.begin(someStart('c'))
      expect(at.store.countedById([first.attemptId, 99_999])).toMatchObject([
        {
          attemptId: first.attemptId,
          status: 'success',
          startedAt: 1_700_000_000,
          durationSeconds: 2,
        },
      ])
      expect(at.store.countedById([])).toEqual([])
      const page = at.store.countedAfter(0, 2)
      expect(page).toMatchObject({ isMore: true, lastId: begun.lastId })
      expect(at.store.countedAfter(page.lastId, 2)).toMatchObject({
        attempts: [{ attemptId: more.attemptId }],
        isMore: false,
      })
    })

    it('to runs with a tag takes it as it is written', () => {
      const tags = { a: ['v1'], b: ['x"v1', 'v'], c: ['v2', 'v1'], d: [] }
      for (const [taskId, own] of Object.entries(tags))
        at.store.begin(someStart(taskId, { startedAt: 1, job: { tags: own } }))
      expect(ids(at.store.find({ tag: 'v1' }))).toEqual(['c', 'a'])
      expect(ids(at.store.find({ tag: 'x"v1' }))).toEqual(['b'])
      expect(ids(at.store.find({ tag: 'v%' }))).toEqual([])
    })

    it('to all records, one after the other, leaves none out', () => {
      for (let made = 0; made < 1_203; made++)
        at.store.begin(someStart(`task-${made}`, { startedAt: made % 7 }))
      const newest = ids(at.store.find({}))
      expect(ids([...at.store.each({}, 'newest first')])).toEqual(newest)
      expect(ids([...at.store.each({}, 'oldest first')])).toEqual(newest.toReversed())
      expect(ids([...at.store.each({ limit: 500 }, 'newest first')])).toEqual(newest.slice(0, 500))
      expect(ids([...at.store.each({ limit: 501, startedSince: 3 }, 'newest first')])).toEqual(
        newest.slice(0, 501),
      )
      expect([...at.store.each({ tool: 'none' }, 'oldest first')]).toEqual([])
    })

    it('to sums by tool tells of how many a figure is a lower bound', () => {
      const figures = [measured(2, 'wait4'), atLeast(3, 'wait4')]
      for (const [index, cpuTotalSeconds] of figures.entries()) {
        const end = someEnd({ durationSeconds: 1 })
        at.store.finish(at.store.begin(someStart(`job ${index}`, { job: { tool: 'make' } })), {
          ...end,
          usage: { ...end.usage, cpuTotalSeconds },
        })
      }
      expect(at.store.tally()).toMatchObject([
        { durationSeconds: { known: 2, least: 0 }, cpuSeconds: { known: 2, sum: 5, least: 1 } },
      ])
    })

    it('to sums by tool is that of some users where these are named', () => {
      for (const [index, user] of ['ada', 'eve', 'eve'].entries())
        at.store.begin(someStart(`${index}`, { user }))
      expect(at.store.tally(['eve'])).toMatchObject([{ attempts: 2 }])
      expect(at.store.tally([])).toEqual([])
      expect(at.store.tally()).toMatchObject([{ attempts: 3 }])
    })

    it('to sums by tool tells the same as all records', () => {
      const tools = ['make', 'gcc'] as const
      tools.forEach((tool, index) => {
        at.store.finish(
          at.store.begin(someStart(tool, { job: { tool } })),
          someEnd({ durationSeconds: index + 1 }),
        )
        at.store.begin(someStart(`${tool} runs`, { job: { tool } }))
      })
      const found = at.store.tally()
      expect(found).toHaveLength(4)
      expect(found).toContainEqual({
        tool: 'gcc',
        status: 'success',
        attempts: 1,
        durationSeconds: { known: 1, sum: 2, least: 0 },
        cpuSeconds: { known: 1, sum: 3.25, least: 0 },
      })
      expect(found).toContainEqual({
        tool: 'make',
        status: 'running',
        attempts: 1,
        durationSeconds: { known: 0, sum: 0, least: 0 },
        cpuSeconds: { known: 0, sum: 0, least: 0 },
      })
    })
  })
}
