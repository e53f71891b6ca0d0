import { describe, expect, it } from 'vitest'
import { measured } from '../../../src/model/measured.ts'
import { emptyUsage } from '../../../src/model/usage.ts'
import { recordWithEnd, someEnd, someSamples, someStart } from '../attempts.ts'
import type { FreshStore } from './fresh-store.ts'

/** Attempts whose end somebody else writes down, or that were begun elsewhere. */
export function takenOverContract(at: FreshStore): void {
  describe('noteNothingLeft', () => {
    it('says of an attempt that what it had left was ended, and nothing else', () => {
      const start = someStart('a')
      const ref = at.store.begin(start)
      const { outcome, ...end } = someEnd()
      const stragglers = [{ pid: 7, command: 'container db of image' }]
      at.store.finish(ref, { ...end, outcome: { ...outcome, stragglers } })
      at.store.noteNothingLeft(ref)
      const then = { ...end, outcome: { ...outcome, stragglers: [] } }
      expect(at.store.find({})).toEqual([recordWithEnd(start, ref, then)])
    })
  })

  describe('interrupt', () => {
    it('keeps the samples and takes from them what they prove', () => {
      const ref = at.store.begin(someStart('a', { startedAt: 100, intervalSeconds: 2 }))
      const samples = someSamples(3, {
        elapsed_seconds: [0, 2, 4],
        cpu_user_seconds: [0, 1, 1.5],
        cpu_system_seconds: [0, 0.25, 0.5],
        memory_bytes: [10, 900, 30],
      })
      at.store.writer(ref).add(samples, 3)
      expect(at.store.interrupt('a', 'its runner is gone')).toBe(true)
      const basis = 'last sample before the runner died'
      const usage = {
        ...emptyUsage('the runner was killed'),
        cpuUserSeconds: measured(1.5, basis),
        cpuSystemSeconds: measured(0.5, basis),
        cpuTotalSeconds: measured(2, basis),
        memoryPeakBytes: measured(900, basis),
      }
      expect(at.store.find({})).toMatchObject([
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
      expect(at.store.series('a').read().rows).toHaveLength(3)
    })

    it('does it once', () => {
      at.store.begin(someStart('a'))
      expect(at.store.interrupt('a', 'first')).toBe(true)
      const once = at.store.find({})
      expect(at.store.interrupt('a', 'second')).toBe(false)
      expect(at.store.find({})).toEqual(once)
      expect(once).toMatchObject([{ reason: 'first', endedAt: null, durationSeconds: null }])
      expect(at.store.running()).toEqual([])
    })

    it('leaves alone what has ended or never was', () => {
      const end = someEnd()
      const start = someStart('a')
      const ref = at.store.begin(start)
      at.store.finish(ref, end)
      expect(at.store.interrupt('a', 'late')).toBe(false)
      expect(at.store.interrupt('b', 'nobody')).toBe(false)
      expect(at.store.find({})).toEqual([recordWithEnd(start, ref, end)])
    })

    it('gives way to an owner who was not dead after all', () => {
      const start = someStart('a')
      const ref = at.store.begin(start)
      at.store.interrupt('a', 'thought dead')
      at.store.finish(ref, someEnd())
      expect(at.store.find({})).toEqual([recordWithEnd(start, ref, someEnd())])
    })
  })

  describe('adopt', () => {
    const rows = someSamples(3)
    const nothing = { rows: new Float64Array(), count: 0 }

    it('takes an attempt that was written down elsewhere', () => {
      const start = someStart('a')
      const ref = at.store.adopt({ start, rows, count: 3, end: someEnd() })
      expect(at.store.find({})).toEqual([recordWithEnd(start, ref, someEnd())])
      expect(
        at.store
          .series('a')
          .read()
          .rows.flatMap((row) => [...row]),
      ).toEqual([...rows])
    })

    it('does no harm when done again', () => {
      const whole = { start: someStart('a'), rows, count: 3, end: someEnd() }
      const ref = at.store.adopt(whole)
      const once = at.store.find({})
      expect(at.store.adopt(whole)).toEqual(ref)
      expect(at.store.find({})).toEqual(once)
      expect(at.store.series('a').read().rows).toHaveLength(3)
    })

    it('adds what has been added since', () => {
      const start = someStart('a')
      const ref = at.store.adopt({ start, ...nothing, end: null })
      expect(at.store.running()).toEqual([
        {
          taskId: 'a',
          workflowId: null,
          isElsewhere: false,
          owner: start.owner,
          heardAt: start.startedAt,
        },
      ])
      at.store.adopt({ start, rows, count: 2, end: null })
      expect(at.store.series('a').read().rows).toHaveLength(2)
      expect(at.store.adopt({ start, rows, count: 3, end: someEnd() })).toEqual(ref)
      expect(
        at.store
          .series('a')
          .read()
          .rows.flatMap((row) => [...row]),
      ).toEqual([...rows])
      expect(at.store.find({})).toEqual([recordWithEnd(start, ref, someEnd())])
    })

    it('takes nothing back from an attempt that the ledger knows more of', () => {
      const start = someStart('a')
      const ref = at.store.begin(start)
      at.store.writer(ref).add(rows, 3)
      expect(at.store.adopt({ start, rows, count: 1, end: null })).toEqual(ref)
      expect(at.store.series('a').read().rows).toHaveLength(3)
      at.store.finish(ref, someEnd())
      const other = someEnd({ endedAt: 1 })
      at.store.adopt({ start, rows: someSamples(5), count: 5, end: other })
      expect(at.store.find({})).toEqual([recordWithEnd(start, ref, someEnd())])
    })

    it('hears the end of one that was thought dead', () => {
      const start = someStart('a')
      const ref = at.store.begin(start)
      at.store.interrupt('a', 'thought dead')
      at.store.adopt({ start, ...nothing, end: someEnd() })
      expect(at.store.find({})).toEqual([recordWithEnd(start, ref, someEnd())])
    })
  })
}
