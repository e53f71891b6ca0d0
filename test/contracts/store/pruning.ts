import { describe, expect, it } from 'vitest'
import { someEnd, someSamples, someStart } from '../attempts.ts'
import { ids, type FreshStore } from './fresh-store.ts'

const mark = { timestamp: 11, elapsedSeconds: 1, step: 1, epoch: null, phase: 'a', message: null }

/** What is deleted because it is old. */
export function pruningContract(at: FreshStore): void {
  describe('prune', () => {
    it('deletes what ended and is old, with its samples, and nothing else', () => {
      for (const [taskId, startedAt] of Object.entries({ old: 10, edge: 20, young: 30 })) {
        const ref = at.store.begin(someStart(taskId, { startedAt }))
        at.store.writer(ref).add(someSamples(4), 4)
        at.store.finish(ref, { ...someEnd(), marks: [mark] })
      }
      at.store.writer(at.store.begin(someStart('runs', { startedAt: 5 }))).add(someSamples(1), 1)
      expect(at.store.prune(20)).toEqual({ attempts: 1, samples: 4 })
      expect(ids(at.store.find({}))).toEqual(['young', 'edge', 'runs'])
      expect(at.store.series('old').read().rows).toEqual([])
      expect(['old', 'edge'].map((id) => at.store.marks(id))).toEqual([[], [mark]])
      expect(at.store.series('edge').read().rows).toHaveLength(4)
      expect(at.store.series('runs').read().rows).toHaveLength(1)
      expect(at.store.prune(20)).toEqual({ attempts: 0, samples: 0 })
    })

    it('deletes rows of devices too, and counts them', () => {
      const columns = ['timestamp', 'elapsed_seconds', 'watts']
      const rows = new Float64Array(3 * 6_000).fill(1)
      const ref = at.store.begin(someStart('old', { startedAt: 10 }))
      const writer = at.store.writer(ref)
      writer.add(someSamples(2), 2)
      writer.addDevice({ kind: 'gpu', id: '0', columns, rows, count: 6_000 })
      at.store.finish(ref, someEnd())
      expect(at.store.prunable(20)).toMatchObject({ attempts: 1, samples: 6_002 })
      expect(at.store.prune(20)).toEqual({ attempts: 1, samples: 6_002 })
      expect(at.store.series('old').devices()).toEqual([])
    })

    it('deletes more than fits one batch', () => {
      const rows = someSamples(5_003)
      for (let made = 0; made < 230; made++) {
        const ref = at.store.begin(someStart(`task-${made}`, { startedAt: made }))
        at.store.writer(ref).add(rows, made % 115 === 0 ? 5_003 : 1)
        at.store.finish(ref, someEnd())
      }
      expect(at.store.prune(1_000)).toEqual({ attempts: 230, samples: 2 * 5_003 + 228 })
      expect(at.store.find({})).toEqual([])
    })

    it('refuses the end of an attempt that was taken away meanwhile', () => {
      const ref = at.store.begin(someStart('a', { startedAt: 1 }))
      at.store.interrupt('a', 'thought dead')
      at.store.prune(2)
      expect(() => at.store.finish(ref, someEnd())).toThrow('a is no longer in the ledger')
      expect(() => at.store.writer(ref).add(someSamples(1), 1)).toThrow(Error)
      expect(at.store.find({})).toEqual([])
    })
  })
}
