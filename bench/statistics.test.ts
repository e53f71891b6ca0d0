import { expect, it } from 'vitest'
import { median, rankSumProbability } from './statistics.ts'

it('median of odd and even counts', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 3])).toBe(2.5)
})

it('the rank-sum test knows one source from two', () => {
  const low = Array.from({ length: 20 }, (_, at) => at)
  const mixed = low.map((value) => value + 0.5)
  expect(rankSumProbability(low, mixed)).toBeGreaterThan(0.5)
  expect(
    rankSumProbability(
      low,
      low.map((value) => value + 100),
    ),
  ).toBeLessThan(1e-6)
})

it('puts the 5 % border where published tables do: U = 127 for 20 against 20', () => {
  const shifted = (by: number) => Array.from({ length: 20 }, (_, at) => at + by)
  // A shift by 4.5 leaves 15 + 14 + … + 1 = 120 pairs the other way round, one by 3.5 leaves 136.
  expect(rankSumProbability(shifted(0), shifted(4.5))).toBeLessThan(0.05)
  expect(rankSumProbability(shifted(0), shifted(3.5))).toBeGreaterThan(0.05)
})
