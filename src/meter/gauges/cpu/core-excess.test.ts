import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CoreExcess } from './core-excess.ts'
import { CpuWindows } from './cpu-windows.ts'

/** What a record shows as the peak of a job on four cores whose counter was read so. */
function peakOf(points: readonly { readonly at: number; readonly cpu: number }[]): number {
  const [windows, excess] = [new CpuWindows(), new CoreExcess(4)]
  for (const { at, cpu } of points) {
    windows.add(at, cpu, Number.NaN)
    excess.add(at, cpu)
  }
  return excess.without(windows.peakPercent)
}

describe('the peak of a job', () => {
  it('is whole cores where only ticks and late readings make it more', () => {
    const lags = fc.array(fc.nat(9), { minLength: 5, maxLength: 60 })
    fc.assert(
      fc.property(lags, fc.integer({ min: 1, max: 3 }), (steps, busy) => {
        const points = steps.map((lag, index) => ({
          at: index + 1,
          cpu: Math.floor(busy * (index + 1 - lag / 1000) * 100) / 100,
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

  it('is a part of a core where it is less than one', () => {
    expect(peakOf([1, 2].map((at) => ({ at, cpu: 0.4 * at })))).toBeCloseTo(40)
  })
})
