import { describe, expect, it } from 'vitest'
import { someEnd, someSamples, someStart } from '../attempts.ts'
import { ids, type FreshStore } from './fresh-store.ts'

/** Several stores on one ledger. */
export function sharingContract(at: FreshStore): void {
  describe('two at once', () => {
    it('see and do not disturb each other', () => {
      const other = at.reopen()
      const mine = at.store.begin(someStart('mine', { startedAt: 1 }))
      const theirs = other.begin(someStart('theirs', { startedAt: 2 }))
      expect(mine.jobId).not.toBe(theirs.jobId)
      for (let round = 0; round < 20; round++) {
        at.store.writer(mine).add(someSamples(2), 2)
        other.writer(theirs).add(someSamples(3), 3)
      }
      at.store.finish(mine, someEnd())
      other.finish(theirs, someEnd())
      other.close()
      expect(ids(at.store.find({ status: 'success' }))).toEqual(['theirs', 'mine'])
      expect(at.store.series('mine').read().rows).toHaveLength(40)
      expect(at.store.series('theirs').read().rows).toHaveLength(60)
    })

    it('closes twice without harm, and what was written stays', () => {
      at.store.begin(someStart('a'))
      at.store.close()
      at.store.close()
      const again = at.reopen()
      expect(ids(again.find({}))).toEqual(['a'])
      again.close()
    })
  })
}
