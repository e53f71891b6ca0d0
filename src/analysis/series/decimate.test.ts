import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimator, thinner } from './decimate.ts'

const values = fc.array(
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }),
  {
    maxLength: 400,
  },
)
const buckets = fc.integer({ min: 1, max: 40 })

function decimated(samples: readonly number[], maxBuckets: number) {
  const decimator = new Decimator(maxBuckets)
  samples.forEach((value, index) => decimator.add(index * 2, value))
  return decimator.curve()
}

/** How many samples went into each bucket, by the rule that the class states. */
function samplesPerBucket(count: number, maxBuckets: number): number {
  const even = Math.max(2, maxBuckets - (maxBuckets % 2))
  let size = 1
  while (Math.ceil(count / size) > even) size *= 2
  return size
}

describe('Decimator', () => {
  it('keeps the least and the greatest of every bucket', () => {
    fc.assert(
      fc.property(values, buckets, (samples, maxBuckets) => {
        const curve = decimated(samples, maxBuckets)
        const size = samplesPerBucket(samples.length, maxBuckets)
        for (let start = 0; start < samples.length; start += size) {
          const inBucket = samples.slice(start, start + size)
          const kept = [...curve.values].filter((_, index) => {
            const sample = (curve.times[index] ?? 0) / 2
            return sample >= start && sample < start + size
          })
          expect(Math.max(...kept)).toBe(Math.max(...inBucket))
          expect(Math.min(...kept)).toBe(Math.min(...inBucket))
        }
      }),
    )
  })

  it('keeps the first and the last sample and the order, and invents nothing', () => {
    fc.assert(
      fc.property(values, buckets, (samples, maxBuckets) => {
        const { times, values: kept } = decimated(samples, maxBuckets)
        expect([...times]).toEqual([...times].toSorted((a, b) => a - b))
        times.forEach((time, index) => expect(kept[index]).toBe(samples[time / 2]))
        if (samples.length === 0) return
        expect([times[0], times.at(-1)]).toEqual([0, (samples.length - 1) * 2])
      }),
    )
  })

  it('fits any length into the buckets it has', () => {
    fc.assert(
      fc.property(values, buckets, (samples, maxBuckets) => {
        expect(decimated(samples, maxBuckets).times.length).toBeLessThanOrEqual(
          2 * Math.max(2, maxBuckets) + 2,
        )
      }),
    )
  })

  it('keeps a short series whole', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { maxLength: 40 }), (samples) => {
        expect([...decimated(samples, 40).values]).toEqual(samples)
      }),
    )
  })

  it('passes over what was not measured', () => {
    const decimator = new Decimator(10)
    decimator.add(1, Number.NaN)
    decimator.add(2, 5)
    decimator.add(Number.NaN, 7)
    expect([...decimator.curve().values]).toEqual([5])
  })

  it('keeps one tall sample among a million', () => {
    const decimator = new Decimator(100)
    for (let index = 0; index < 1_000_000; index++) decimator.add(index, index === 567_891 ? 9 : 1)
    const curve = decimator.curve()
    expect(curve.times[curve.values.indexOf(9)]).toBe(567_891)
    expect(Math.max(...thinner(curve, 8).values)).toBe(9)
  })
})
