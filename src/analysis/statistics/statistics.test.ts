import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maximum, minimum, percentile, timeWeightedMean } from './statistics.ts'

const someNumbers = fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1 })

describe('statistics', () => {
  it('answer undefined on nothing', () => {
    expect(timeWeightedMean([])).toBeUndefined()
    expect(percentile([], 95)).toBeUndefined()
    expect(minimum([])).toBeUndefined()
    expect(maximum([])).toBeUndefined()
  })

  it('weighs a mean by time', () => {
    const parts = [
      { value: 100, seconds: 1 },
      { value: 0, seconds: 3 },
    ]
    expect(timeWeightedMean(parts)).toBe(25)
  })

  it('has no mean over no time', () => {
    expect(timeWeightedMean([{ value: 5, seconds: 0 }])).toBeUndefined()
  })

  it('takes the nearest rank', () => {
    const values = [50, 15, 40, 20, 35]
    expect([5, 30, 40, 50, 100].map((percent) => percentile(values, percent))).toEqual([
      15, 20, 20, 35, 50,
    ])
  })

  it('gives a percentile that is one of the values and covers that share of them', () => {
    fc.assert(
      fc.property(someNumbers, fc.integer({ min: 1, max: 100 }), (values, percent) => {
        const answer = percentile(values, percent) ?? Number.NaN
        const covered = values.filter((value) => value <= answer).length
        expect(values).toContain(answer)
        expect(covered / values.length).toBeGreaterThanOrEqual(percent / 100 - 1e-9)
      }),
    )
  })

  it('keeps the mean between the least and the most', () => {
    fc.assert(
      fc.property(someNumbers, (values) => {
        const mean = timeWeightedMean(values.map((value, index) => ({ value, seconds: index + 1 })))
        expect(mean).toBeGreaterThanOrEqual((minimum(values) ?? 0) - 1e-6)
        expect(mean).toBeLessThanOrEqual((maximum(values) ?? 0) + 1e-6)
      }),
    )
  })
})
