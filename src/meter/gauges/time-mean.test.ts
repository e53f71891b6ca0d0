import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TimeMean } from './time-mean.ts'

describe('a mean over time', () => {
  it('weighs a value by how long it held', () => {
    const mean = new TimeMean()
    mean.add(0, 100)
    mean.add(9, 0)
    expect(mean.meanUntil(10)).toBeCloseTo(90)
    expect(mean).toMatchObject({ least: 0, most: 100 })
  })

  it('is the only value there was', () => {
    const mean = new TimeMean()
    expect(mean.meanUntil(5)).toBeNaN()
    mean.add(3, 7)
    expect(mean.meanUntil(3)).toBe(7)
    expect(mean.meanUntil(8)).toBe(7)
  })

  it('passes over what is not a number', () => {
    const mean = new TimeMean()
    mean.add(0, 4)
    mean.add(1, NaN)
    mean.add(2, Infinity)
    expect(mean.meanUntil(3)).toBe(4)
    expect(mean).toMatchObject({ least: 4, most: 4 })
  })

  it('equals the sum over every small piece of time', () => {
    const steps = fc.array(
      fc.record({ after: fc.nat({ max: 50 }), value: fc.nat({ max: 1_000_000 }) }),
      { minLength: 1, maxLength: 40 },
    )
    fc.assert(
      fc.property(steps, fc.nat({ max: 50 }), (all, rest) => {
        const mean = new TimeMean()
        const pieces: number[] = []
        let now = 0
        let held: number | undefined
        for (const { after, value } of all) {
          now += after
          if (held !== undefined) for (let i = 0; i < after; i++) pieces.push(held)
          held = value
          mean.add(now / 64, value)
        }
        for (let i = 0; i < rest; i++) pieces.push(held ?? 0)
        const expected =
          pieces.length === 0 ? held : pieces.reduce((sum, each) => sum + each) / pieces.length
        expect(mean.meanUntil((now + rest) / 64)).toBeCloseTo(expected ?? NaN, 3)
        const values = all.map(({ value }) => value)
        expect(mean.least).toBe(Math.min(...values))
        expect(mean.most).toBe(Math.max(...values))
      }),
    )
  })
})
