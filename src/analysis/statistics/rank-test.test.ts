import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rankSumTest, signedRankTest } from './rank-test.ts'

const few = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 5 })

/** The same by brute force: every way to choose which of the values are the first set's. */
function bruteForce(a: readonly number[], b: readonly number[]): number {
  const all = [...a, ...b]
  const rankOf = (value: number) =>
    all.filter((other) => other < value).length * 2 + all.filter((other) => other === value).length
  const sum = (values: readonly number[]) => values.reduce((total, one) => total + rankOf(one), 0)
  const seen = sum(a)
  let [ways, below, above] = [0, 0, 0]
  for (let chosen = 0; chosen < 2 ** all.length; chosen += 1) {
    const set = all.filter((_, index) => (chosen >> index) & 1)
    if (set.length !== a.length) continue
    ways += 1
    if (sum(set) <= seen) below += 1
    if (sum(set) >= seen) above += 1
  }
  return Math.min(1, (2 * Math.min(below, above)) / ways)
}

describe('rankSumTest', () => {
  it.each([
    [[1, 2, 3], [4, 5, 6], 0.1],
    [[1, 2, 3, 4], [5, 6, 7, 8], 2 / 70],
    [[1], [2], 1],
    [[5, 5, 5, 5], [5, 5, 5, 5], 1],
  ])('gives %j against %j p = %d', (a, b, p) => {
    expect(rankSumTest(a, b)?.pValue).toBeCloseTo(p, 12)
  })

  it('agrees with counting every division, ties and all', () => {
    fc.assert(
      fc.property(few, few, (a, b) => {
        expect(rankSumTest(a, b)?.pValue).toBeCloseTo(bruteForce(a, b), 10)
      }),
      { numRuns: 60 },
    )
  })

  it('puts the 5 % border where published tables do: U = 127 for 20 against 20', () => {
    const shifted = (by: number) => Array.from({ length: 20 }, (_, at) => at + by)
    // A shift by 4.5 leaves 15 + 14 + … + 1 = 120 pairs the other way round, one by 3.5 leaves 136.
    expect(rankSumTest(shifted(0), shifted(4.5))?.pValue).toBeLessThan(0.05)
    expect(rankSumTest(shifted(0), shifted(3.5))?.pValue).toBeGreaterThan(0.05)
  })

  it('says that three against three can never show anything', () => {
    expect(rankSumTest([1, 2, 3], [4, 5, 6])?.leastPValue).toBeCloseTo(0.1)
    expect(rankSumTest([], [1])).toBeUndefined()
  })

  it('goes over to the normal distribution without a jump', () => {
    const values = (count: number, shift: number) =>
      Array.from({ length: count }, (_, index) => ((index * 7919) % 101) + shift)
    const exact = rankSumTest(values(25, 0), values(25, 20))
    const normal = rankSumTest(values(25, 0), values(26, 20))
    expect([exact?.method, normal?.method]).toEqual(['exact', 'normal'])
    expect(Math.abs((exact?.pValue ?? 0) - (normal?.pValue ?? 1))).toBeLessThan(0.02)
  })

  it('calls chance a difference in about 5 of 100 cases', () => {
    let found = 0
    let state = 1
    const random = () => (state = (state * 48271) % 2147483647) / 2147483647
    for (let draw = 0; draw < 1000; draw += 1) {
      const set = () => Array.from({ length: 8 }, random)
      if ((rankSumTest(set(), set())?.pValue ?? 1) <= 0.05) found += 1
    }
    expect(found).toBeGreaterThan(20)
    expect(found).toBeLessThan(70)
  })
})

describe('signedRankTest', () => {
  it('counts signs and sizes', () => {
    expect(signedRankTest([1, 2, 3, 4, 5, 6])?.pValue).toBeCloseTo(2 / 64)
    expect(signedRankTest([1, -1, 2, -2])?.pValue).toBe(1)
    expect(signedRankTest([0, 0])?.pValue).toBe(1)
    expect(signedRankTest([])).toBeUndefined()
  })
})
