import fc from 'fast-check'
import { quantileSorted } from 'simple-statistics'
import { describe, expect, it } from 'vitest'
import { gaussian, generator } from '../../../test/synthetic/series.ts'
import { medianRatioInterval, totalRatioInterval, type Interval, type Pair } from './bootstrap.ts'
import { median } from './median.ts'

/** The definition itself: draw every value anew, 2,000 times, and look at each draw as a whole. */
function plainInterval<T>(
  sets: readonly (readonly T[])[],
  figure: (drawn: readonly (readonly T[])[]) => number,
): Interval | undefined {
  const random = generator(20_251_015)
  const figures: number[] = []
  for (let draw = 0; draw < 2000; draw += 1) {
    const drawn = sets.map((set) => set.map(() => set[Math.floor(random() * set.length)] as T))
    const value = figure(drawn)
    if (Number.isFinite(value)) figures.push(value)
  }
  if (figures.length < 1000) return undefined
  figures.sort((left, right) => left - right)
  return { low: quantileSorted(figures, 0.025), high: quantileSorted(figures, 0.975) }
}

const medianRatio = ([a = [], b = []]: readonly (readonly number[])[]): number =>
  median(b) / median(a)

const total = (pairs: readonly Pair[], side: 'a' | 'b'): number =>
  pairs.reduce((sum, pair) => sum + pair[side], 0)
const totalRatio = ([pairs = []]: readonly (readonly Pair[])[]): number =>
  total(pairs, 'b') / total(pairs, 'a')

const figure = fc.oneof(fc.nat({ max: 4 }), fc.double({ min: 0, max: 1e9, noNaN: true }))
const values = fc.array(figure, { minLength: 3, maxLength: 12 })
const few = { numRuns: 40 }

describe('medianRatioInterval', () => {
  it('is what drawing every value gives, to the last digit', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(medianRatioInterval(a, b)).toEqual(plainInterval([a, b], medianRatio))
      }),
      few,
    )
  })

  it('is the same but for chance where there are too many values to draw each', () => {
    const random = generator(7)
    const skewed = (): number => Math.exp(gaussian(random))
    const a = Array.from({ length: 4_501 }, skewed)
    const b = Array.from({ length: 4_800 }, () => 1.1 * skewed())
    const found = medianRatioInterval(a, b)
    const plain = plainInterval([a, b], medianRatio)
    const width = (plain?.high ?? 0) - (plain?.low ?? 0)
    expect(Math.abs((found?.low ?? 0) - (plain?.low ?? 0))).toBeLessThan(0.1 * width)
    expect(Math.abs((found?.high ?? 0) - (plain?.high ?? 0))).toBeLessThan(0.1 * width)
  })
})

describe('totalRatioInterval', () => {
  it('is what drawing every pair gives, to the last digit', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ a: figure, b: figure }), { minLength: 3 }), (pairs) => {
        expect(totalRatioInterval(pairs)).toEqual(plainInterval([pairs], totalRatio))
      }),
      few,
    )
  })

  it.each([
    ['pairs of a kind', 1],
    ['one pair that outweighs all others', 50_000],
  ])('is the same but for chance with more pairs than can be drawn: %s', (_, weight) => {
    const random = generator(8)
    const pairs = Array.from({ length: 6_000 }, (__, index) => {
      const a = Math.exp(gaussian(random)) * (index === 17 ? weight : 1)
      return { a, b: index === 17 ? 2 * a : a * (1 + 0.2 * gaussian(random)) }
    })
    const found = totalRatioInterval(pairs)
    const plain = plainInterval([pairs], totalRatio)
    const width = (plain?.high ?? 0) - (plain?.low ?? 0)
    expect(Math.abs((found?.low ?? 0) - (plain?.low ?? 0))).toBeLessThan(0.1 * width)
    expect(Math.abs((found?.high ?? 0) - (plain?.high ?? 0))).toBeLessThan(0.1 * width)
  })
})
