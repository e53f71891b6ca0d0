import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Pace } from './pace.ts'

/** The moments at which a pace asks to be served, each one on time. */
function moments(pace: Pace, count: number): number[] {
  return Array.from({ length: count }, () => {
    const at = pace.nextAtSeconds
    pace.looked(at)
    return at
  })
}

describe('the pace of looks', () => {
  it('begins quickly and goes on at the interval', () => {
    const early = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5]
    expect(moments(new Pace(1), 10)).toEqual([...early, 1, 2, 3])
    expect(moments(new Pace(5), 9)).toEqual([...early, 5, 10])
  })

  it('leaves out early looks that are not earlier than the interval', () => {
    expect(moments(new Pace(0.05), 5)).toEqual([0.005, 0.01, 0.02, 0.05, 0.1])
  })

  it('counts a look half an interval late, and every look that was passed over', () => {
    const pace = new Pace(1)
    moments(pace, 7)
    pace.looked(1.4)
    expect(pace).toMatchObject({ late: 0, missed: 0, nextAtSeconds: 2 })
    pace.looked(2.6)
    expect(pace).toMatchObject({ late: 1, missed: 0, nextAtSeconds: 3 })
    pace.looked(7.2)
    expect(pace).toMatchObject({ late: 2, missed: 4, nextAtSeconds: 8 })
  })

  it('forgives late early looks: a busy start is no fault', () => {
    const pace = new Pace(1)
    pace.looked(0.9)
    expect(pace).toMatchObject({ late: 0, missed: 0, nextAtSeconds: 1 })
  })

  const interval = fc.oneof(
    fc.constantFrom(0.01, 0.1, 0.2, 0.3, 1, 1 / 3, 5, 60),
    fc.double({ min: 0.01, max: 3600, noNaN: true }),
  )

  it('never asks twice for the same moment, and stands on multiples of any interval', () => {
    const lateness = fc.array(fc.double({ min: 0, max: 5, noNaN: true }), { minLength: 30 })
    // Days into a job too, where multiplied and divided numbers no longer come out even.
    const past = fc.oneof(fc.constant(0), fc.nat({ max: 100_000_000 }))
    fc.assert(
      fc.property(interval, past, lateness, (seconds, intervalsPast, delays) => {
        const pace = new Pace(seconds)
        if (intervalsPast > 0) pace.looked(intervalsPast * seconds)
        let before = intervalsPast * seconds
        for (const delay of delays) {
          const at = pace.nextAtSeconds
          expect(at).toBeGreaterThan(before)
          const multiple = at < seconds ? 1 : at / seconds
          expect(Math.abs(multiple - Math.round(multiple))).toBeLessThan(1e-6)
          // Most looks are on time: the sum of small delays must not move later ones.
          before = delay > 4 ? at + delay * seconds : at
          pace.looked(before)
          expect(pace.nextAtSeconds - before).toBeLessThanOrEqual(seconds * (1 + 1e-6))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('counts as missed exactly the multiples that were passed over', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1000 }), fc.nat({ max: 1000 }), (first, passed) => {
        const pace = new Pace(1)
        pace.looked(first + 0.75)
        pace.looked(Math.max(1, first + 1) + passed + 0.25)
        expect(pace.missed).toBe(passed)
      }),
    )
  })
})
