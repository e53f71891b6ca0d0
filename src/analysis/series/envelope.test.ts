import { describe, expect, it } from 'vitest'
import { upperEnvelope } from './envelope.ts'

const curve = (...points: readonly (readonly [number, number])[]) => ({
  times: Float64Array.from(points, ([time]) => time),
  values: Float64Array.from(points, ([, value]) => value),
})

describe('upperEnvelope', () => {
  it('is at each step the highest of the curves', () => {
    const { times, values } = upperEnvelope(
      [curve([0, 1], [4, 1]), curve([5, 3], [8, 7]), curve([10, 2])],
      5,
    )
    expect([...times]).toEqual([0, 1, 3, 5, 7, 9, 10])
    expect([...values]).toEqual([1, 1, 1, 7, 7, 7, 7])
  })

  it('has a gap where there is no curve', () => {
    const { times, values } = upperEnvelope([curve([0, 1], [3, 2]), curve([8, 3], [10, 3])], 5)
    expect([...times]).toEqual([0, 1, 3, 4, 5, 7, 8, 9, 10])
    expect([...values]).toEqual([2, 2, 2, 2, Number.NaN, Number.NaN, 3, 3, 3])
  })

  it('stands a single moment and no curve at all', () => {
    expect([...upperEnvelope([curve([3, 9])], 2).values]).toEqual([9, 9, 9, Number.NaN])
    expect(upperEnvelope([], 2).times).toHaveLength(0)
  })
})
