import { expect, it } from 'vitest'
import { median } from './median.ts'

it('median of odd and even counts, and of none', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 3])).toBe(2.5)
  expect(median(new Float64Array([10, 9]))).toBe(9.5)
  expect(median([])).toBeNaN()
})
