import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressKey, Buckets } from './buckets.ts'

describe('buckets', () => {
  it('let a burst through, then as many as trickle in, each key for itself', () => {
    let now = 0
    const buckets = new Buckets({ perSecond: 2, burst: 3 }, () => now)
    expect([1, 2, 3].map(() => buckets.take('a'))).toEqual([0, 0, 0])
    expect(buckets.take('a')).toBeCloseTo(0.5)
    expect(buckets.take('b')).toBe(0)
    now = 0.5
    expect(buckets.take('a')).toBe(0)
    expect(buckets.take('a')).toBeGreaterThan(0)
  })

  it('never let more through than the rate allows, whenever they are asked', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 5, noNaN: true }), { maxLength: 200 }),
        (pauses) => {
          let now = 0
          const buckets = new Buckets({ perSecond: 3, burst: 5 }, () => now)
          let taken = 0
          for (const pause of pauses) {
            now += pause
            if (buckets.take('a') === 0) taken += 1
          }
          expect(taken).toBeLessThanOrEqual(5 + 3 * now + 1e-6)
        },
      ),
    )
  })

  it('forget the oldest, so that many keys take no memory', () => {
    const buckets = new Buckets({ perSecond: 1, burst: 1 }, () => 0)
    expect(buckets.take('first')).toBe(0)
    for (let each = 0; each < 10_000; each++) buckets.take(String(each))
    expect(buckets.take('first')).toBe(0)
    expect(buckets.take('9999')).toBeGreaterThan(0)
  })
})

it.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s counts as %s', (address, key) => {
  expect(addressKey(address)).toBe(key)
})
