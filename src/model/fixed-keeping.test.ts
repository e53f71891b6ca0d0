import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fixed } from './fixed-keeping.ts'

const decimals = fc.integer({ min: 0, max: 4 })

describe('a figure with fixed decimals', () => {
  it('is what toFixed makes of it, whatever it is', () => {
    const value = fc.oneof(fc.double(), fc.double({ min: 0, max: 2e6, noNaN: true }))
    fc.assert(
      fc.property(value, decimals, (figure, places) => {
        expect(fixed(figure, places)).toBe(figure.toFixed(places))
      }),
      { numRuns: 5_000 },
    )
  })

  it('is so half-way between two as well, and just beside', () => {
    const half = fc.tuple(
      fc.nat(2e6),
      fc.constantFrom(10, 100, 1000),
      fc.integer({ min: -3, max: 3 }),
    )
    fc.assert(
      fc.property(half, decimals, ([count, scale, ulps], places) => {
        const exact = (count + 0.5) / scale
        const figure = exact + ulps * Number.EPSILON * exact
        expect(fixed(figure, places)).toBe(figure.toFixed(places))
      }),
      { numRuns: 5_000 },
    )
  })

  it.each([0, -0, 0.995, 1.005, 9.995, 99.995, 0.045, 1e6, 999_999.995, -1.5, NaN, Infinity])(
    'is so for %d',
    (figure) => {
      for (const places of [0, 1, 2, 3]) expect(fixed(figure, places)).toBe(figure.toFixed(places))
    },
  )
})
