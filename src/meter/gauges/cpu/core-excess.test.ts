import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CoreExcess } from './core-excess.ts'
import { CpuWindows } from './cpu-windows.ts'

interface Point {
  readonly at: number
  readonly cpu: number
}

/** What a record shows as the peak of a job whose counter was read so. */
function peakOf(points: readonly Point[], cores = 4): number {
  const [windows, excess] = [new CpuWindows(), new CoreExcess(cores)]
  for (const { at, cpu } of points) {
    windows.add(at, cpu, Number.NaN)
    excess.add(at, cpu)
  }
  return excess.without(windows.peakPercent)
}

describe('the peak of a job', () => {
  it('is whole cores where only ticks and late readings make it more', () => {
    // Two ticks, whatever the number of cores: one that is told late, and one that the reading is late by.
    const lags = fc.array(fc.nat(19), { minLength: 5, maxLength: 60 })
    fc.assert(
      fc.property(lags, fc.integer({ min: 1, max: 3 }), (steps, busy) => {
        const points = steps.map((lag, index) => ({
          at: index + 1,
          cpu: Math.floor((busy * (index + 1) - lag / 1000) * 100) / 100,
        }))
        expect(peakOf(points)).toBeLessThanOrEqual(100 * busy)
      }),
      { seed: 3 },
    )
  })

  it('is more where that adds up', () => {
    const points = [1, 2, 3, 4].map((at) => ({ at, cpu: 1.02 * at }))
    expect(peakOf(points)).toBeCloseTo(102)
  })

  it('is more where it is more than ticks can make of it', () => {
    expect(
      peakOf([
        { at: 1, cpu: 0 },
        { at: 2, cpu: 1.1 },
      ]),
    ).toBeCloseTo(110)
  })

  it('is more in bursts that a quieter second follows, however many cores there are', () => {
    for (const [cores, burst, quiet] of [
      [8, 7.2, 1],
      [32, 31.9, 20],
      [64, 50.9, 10],
    ] as const) {
      let [at, cpu] = [0, 0]
      const points = Array.from({ length: 20 }, (_, index) => ({
        at: (at += 1),
        cpu: (cpu += index % 2 === 0 ? burst : quiet),
      }))
      expect(peakOf(points, cores)).toBeCloseTo(100 * burst)
    }
  })

  it('is a part of a core where it is less than one', () => {
    expect(peakOf([1, 2].map((at) => ({ at, cpu: 0.4 * at })))).toBeCloseTo(40)
  })
})
