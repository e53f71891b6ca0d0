import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boxOf } from './box.ts'

describe('boxOf', () => {
  it('gives the five numbers, and sets apart what is far off', () => {
    expect(boxOf([1, 2, 3, 4, 5, 6, 7, 8, 100])).toEqual({
      count: 9,
      low: 1,
      quarter: 3,
      median: 5,
      threeQuarters: 7,
      high: 8,
      outliers: [100],
    })
    expect(boxOf([])).toBeUndefined()
  })

  it('keeps its numbers in order and loses no value', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1 }), (values) => {
        const box = boxOf(values)
        if (box === undefined) throw new Error('no box')
        const { low, quarter, median, threeQuarters, high, outliers } = box
        expect(quarter).toBeLessThanOrEqual(median)
        expect(median).toBeLessThanOrEqual(threeQuarters)
        expect(Math.min(low, ...outliers)).toBe(Math.min(...values))
        expect(Math.max(high, ...outliers)).toBe(Math.max(...values))
      }),
    )
  })
})
