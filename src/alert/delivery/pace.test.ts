import fc from 'fast-check'
import { expect, it } from 'vitest'
import { allowedAt, retrySeconds } from './pace.ts'

const pace = {
  groupSeconds: 0,
  mostMessages: 3,
  perSeconds: 60,
  firstRetrySeconds: 2,
  longestRetrySeconds: 300,
  giveUpSeconds: 1000,
}
const id = fc.stringMatching(/^[0-9a-f]{32}$/)

it('waits about twice as long each time, up to the longest', () => {
  fc.assert(
    fc.property(id, fc.integer({ min: 1, max: 2000 }), (message, attempts) => {
      const wait = retrySeconds(pace, attempts, message)
      const whole = Math.min(300, 2 * 2 ** Math.min(30, attempts - 1))
      expect(wait).toBeLessThanOrEqual(whole)
      expect(wait).toBeGreaterThanOrEqual(0.8 * whole)
    }),
  )
})

it('keeps nothing back for what went out before the clock was set back', () => {
  const year = 365 * 86_400
  expect(allowedAt(pace, [year, year + 1, year + 2], 100)).toBe(100)
})

it('lets no more messages out in any stretch of time than it may, and each as soon as it may', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 }), (steps) => {
      const sent: number[] = []
      let now = 0
      for (const step of steps) {
        now += step
        const at = allowedAt(pace, sent, now)
        const before = sent[sent.length - pace.mostMessages] ?? -Infinity
        expect(at).toBe(Math.max(now, before + pace.perSeconds))
        now = at
        sent.push(at)
      }
    }),
  )
})
