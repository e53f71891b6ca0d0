import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Durations } from './durations.ts'

const filled = (seconds: readonly number[]): Durations => {
  const durations = new Durations()
  for (const one of seconds) durations.add(one)
  return durations
}

describe('durations', () => {
  it('tell nothing of none', () => {
    expect(new Durations()).toMatchObject({ count: 0, meanMs: undefined, p95Ms: undefined })
  })

  it('tell mean and 95th percentile', () => {
    const seconds = Array.from({ length: 100 }, (_, index) => (index + 1) / 1000)
    const { count, meanMs, p95Ms } = filled(seconds)
    expect(count).toBe(100)
    expect(meanMs).toBeCloseTo(50.5, 9)
    expect(p95Ms).toBeCloseTo(95, 9)
  })

  it('have at least 95 % of the values at or below their percentile', () => {
    const some = fc.array(fc.double({ min: 0, max: 1e4, noNaN: true }), { minLength: 1 })
    fc.assert(
      fc.property(some, (seconds) => {
        const p95 = (filled(seconds).p95Ms ?? NaN) / 1000
        const below = seconds.filter((one) => one <= p95 * (1 + 1e-12)).length
        expect(below / seconds.length).toBeGreaterThanOrEqual(0.95)
      }),
    )
  })

  it('stay right to a percent over a million, and begin anew when cleared', () => {
    const durations = new Durations()
    // Every value from 0 to 1 once, in an order that has no pattern of powers of two.
    for (let index = 0; index < 1_000_003; index++)
      durations.add(((index * 7919) % 1_000_003) / 1_000_003)
    expect(durations.meanMs).toBeCloseTo(500, 2)
    expect(Math.abs((durations.p95Ms ?? 0) - 950)).toBeLessThan(10)
    durations.clear()
    durations.add(2)
    expect(durations).toMatchObject({ count: 1, meanMs: 2000, p95Ms: 2000 })
  })
})
