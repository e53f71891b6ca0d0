import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coresPercent, diskWaitPercent } from './time-shares.ts'

const amount = fc.double({ min: 0, max: 1e6, noNaN: true })
const span = fc.double({ min: 0.1, max: 1e5, noNaN: true })

describe('the share of the time that was waited for disks', () => {
  it('is that of one process among many that do the same', () => {
    // Each computes for nine tenths of ten seconds, and waits for one.
    expect(diskWaitPercent(1, 9, 10)).toBeCloseTo(10, 9)
    expect(diskWaitPercent(8, 72, 10)).toBeCloseTo(10, 9)
  })

  it('is that of the whole span where nobody was at work for the rest of it', () => {
    expect(diskWaitPercent(3, 0, 10)).toBeCloseTo(30, 9)
    expect(diskWaitPercent(80, 0, 10)).toBe(100)
    expect(diskWaitPercent(3, Number.NaN, 10)).toBeCloseTo(30, 9)
    expect(diskWaitPercent(Number.NaN, 1, 10)).toBeNaN()
  })

  it('is from 0 to 100, and more work never makes it larger', () => {
    fc.assert(
      fc.property(amount, amount, amount, span, (delay, cpu, more, seconds) => {
        const share = diskWaitPercent(delay, cpu, seconds)
        expect(share).toBeGreaterThanOrEqual(0)
        expect(share).toBeLessThanOrEqual(100)
        expect(diskWaitPercent(delay, cpu + more, seconds)).toBeLessThanOrEqual(share)
      }),
      { seed: 1, numRuns: 500 },
    )
  })
})

it('takes late accounts for no more than all cores can do', () => {
  expect(coresPercent(3, 2, 8)).toBe(150)
  expect(coresPercent(60, 2, 8)).toBe(800)
  expect(coresPercent(Number.NaN, 2, 8)).toBeNaN()
})
