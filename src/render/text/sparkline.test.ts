import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DerivedPoint } from '../../analysis/series/rates.ts'
import { deriveSeries } from '../../analysis/series/rates.ts'
import { sampleWidth } from '../../../test/synthetic/sample-width.ts'
import { cpuSparkline, memorySparkline } from './sparkline.ts'

const [blank] = deriveSeries([new Float64Array(sampleWidth).fill(Number.NaN)], 1)

function point(elapsedSeconds: number, figures: Partial<DerivedPoint>): DerivedPoint {
  if (blank === undefined) throw new Error('one row makes one point')
  return { ...blank, elapsedSeconds, ...figures }
}

describe('sparkline', () => {
  it('is empty without samples or figures', () => {
    expect(cpuSparkline([], 8)).toBe('')
    expect(memorySparkline([point(1, {})], 8, 0)).toBe('')
  })

  it('weighs CPU by time', () => {
    const series = [point(1, { cpuPercent: 400 }), point(4, { cpuPercent: 0 })]
    expect(cpuSparkline(series, 1)).toBe('█')
    expect(cpuSparkline(series, 2)).toBe('█▁')
    const quarter = [point(1, { cpuPercent: 100 }), point(4, { cpuPercent: 0 })]
    expect(cpuSparkline(quarter, 1)).toBe('▃')
  })

  it('takes the most of memory, so that a spike is seen', () => {
    const series = [
      point(9.9, { memoryBytes: 0 }),
      point(10, { memoryBytes: 900 }),
      point(20, { memoryBytes: 450 }),
    ]
    expect(memorySparkline(series, 2, 0)).toBe('█▅')
  })

  it('reaches to a peak that no sample shows', () => {
    const series = [point(1, { memoryBytes: 6 }), point(2, { memoryBytes: 6 })]
    expect(memorySparkline(series, 3, 500)).toBe('▁▁▁')
  })

  it('draws an idle job low and equal figures level', () => {
    expect(cpuSparkline([point(1, { cpuPercent: 2 }), point(2, { cpuPercent: 2 })], 4)).toBe('▁▁▁▁')
    expect(
      memorySparkline([point(1, { memoryBytes: 5 }), point(2, { memoryBytes: 5 })], 3, 0),
    ).toBe('███')
    expect(memorySparkline([point(1, { memoryBytes: 0 })], 3, 0)).toBe('▁▁▁')
  })

  it('leaves time without a figure blank', () => {
    const series = [point(1, { cpuPercent: null }), point(2, { cpuPercent: 100 })]
    expect(cpuSparkline(series, 2)).toBe(' █')
  })

  it('is as wide as asked, or empty, whatever the series', () => {
    const points = fc.array(
      fc.tuple(fc.double({ min: 0 }), fc.double({ min: 0 })).map(([elapsed, cpuPercent]) =>
        point(Number.isFinite(elapsed) ? elapsed : 1, {
          cpuPercent: Number.isFinite(cpuPercent) ? cpuPercent : null,
        }),
      ),
    )
    fc.assert(
      fc.property(points, fc.integer({ min: 1, max: 60 }), (series, width) => {
        expect(cpuSparkline(series, width)).toMatch(new RegExp(`^([▁▂▃▄▅▆▇█ ]{${width}})?$`))
      }),
    )
  })
})
