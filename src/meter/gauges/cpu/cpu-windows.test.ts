import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CpuWindows } from './cpu-windows.ts'

/** Looks that are a second apart come a few milliseconds early or late. */
const shortestWindowSeconds = 0.95

interface Point {
  readonly at: number
  readonly cpu: number
}

function windowsOf(points: readonly Point[]): CpuWindows {
  const windows = new CpuWindows()
  for (const { at, cpu } of points) windows.add(at, cpu, NaN)
  return windows
}

/** Unevenly spaced looks, on 64ths of a second so that every difference is exact. */
const series = fc
  .array(fc.record({ after: fc.nat({ max: 200 }), used: fc.nat({ max: 400 }) }), { maxLength: 60 })
  .map((steps) => {
    const points: Point[] = [{ at: 0, cpu: 0 }]
    for (const { after, used } of steps) {
      const last = points.at(-1) ?? { at: 0, cpu: 0 }
      points.push({ at: last.at + (after + 1) / 64, cpu: last.cpu + used / 64 })
    }
    return points
  })

/** All spans of about a second or more that end at a look and begin at the latest look possible. */
function windowPercents(points: readonly Point[]): number[] {
  return points.flatMap((end) => {
    const begin = points.findLast((point) => point.at <= end.at - shortestWindowSeconds)
    return begin === undefined ? [] : [percentBetween(begin, end)]
  })
}

const percentBetween = (begin: Point, end: Point): number =>
  ((end.cpu - begin.cpu) / (end.at - begin.at)) * 100

/** Side by side from the start. */
function neighbours(points: readonly Point[]): { seconds: number; percent: number }[] {
  let begin: Point = { at: 0, cpu: 0 }
  return points.flatMap((end) => {
    const seconds = end.at - begin.at
    if (seconds < shortestWindowSeconds) return []
    const percent = percentBetween(begin, end)
    begin = end
    return [{ seconds, percent }]
  })
}

describe('CPU windows', () => {
  it('see no more than the threads of a job can use, however late and coarse its counters are', () => {
    const looks = fc.array(fc.record({ step: fc.integer({ min: 1, max: 3 }), lag: fc.nat(9) }), {
      minLength: 2,
      maxLength: 60,
    })
    fc.assert(
      fc.property(looks, fc.integer({ min: 1, max: 3 }), (steps, threads) => {
        const windows = new CpuWindows()
        let at = 0
        for (const { step, lag } of steps) {
          at += step / 2
          const used = threads * (at - lag / 1000)
          windows.add(at, Math.floor(used * 100) / 100, threads)
          expect(
            Number.isNaN(windows.latestPercent) ? 0 : windows.latestPercent,
          ).toBeLessThanOrEqual(100 * threads + 1e-6)
        }
        expect(windows.percentile95() ?? 0).toBeLessThanOrEqual(100 * threads + 1e-6)
      }),
      { seed: 3 },
    )
  })

  it('sees no peak in a burst of less than a second', () => {
    const windows = windowsOf([
      { at: 0, cpu: 0 },
      { at: 0.01, cpu: 0.08 },
      { at: 1, cpu: 0.08 },
      { at: 2, cpu: 0.08 },
    ])
    expect(windows.peakPercent).toBeCloseTo(8)
  })

  it('knows no peak and no percentile of a job shorter than a second', () => {
    const windows = windowsOf([
      { at: 0, cpu: 0 },
      { at: 0.9, cpu: 0.9 },
    ])
    expect(windows.peakPercent).toBeNaN()
    expect(windows.percentile95()).toBeUndefined()
  })

  it('finds a busy second that lies across two intervals', () => {
    const windows = windowsOf([
      { at: 0, cpu: 0 },
      { at: 0.5, cpu: 0 },
      { at: 1, cpu: 0.5 },
      { at: 1.5, cpu: 1 },
      { at: 2, cpu: 1 },
    ])
    expect(windows.peakPercent).toBe(100)
  })

  it('have no percentile above the peak', () => {
    fc.assert(
      fc.property(series, fc.integer({ min: 1, max: 4 }), (points, threads) => {
        const windows = new CpuWindows()
        for (const { at, cpu } of points) windows.add(at, cpu, threads)
        expect(windows.percentile95() ?? 0).toBeLessThanOrEqual(windows.peakPercent || 0)
      }),
      { seed: 5 },
    )
  })

  it('are a second long although looks come a few milliseconds early', () => {
    const windows = windowsOf([
      { at: 1.002, cpu: 0 },
      { at: 2, cpu: 0.998 },
      { at: 3, cpu: 0.998 },
    ])
    expect(windows.peakPercent).toBeCloseTo(100)
    expect(windows.hiddenSeconds).toBe(0)
  })

  it('know how long a busier second may have hidden between looks', () => {
    const windows = windowsOf([
      { at: 1, cpu: 1 },
      { at: 4, cpu: 2 },
      { at: 5, cpu: 2 },
    ])
    expect(windows.hiddenSeconds).toBe(3)
  })

  it('passes over a look that came at the same time or before', () => {
    const windows = windowsOf([
      { at: 0, cpu: 0 },
      { at: 1, cpu: 1 },
      { at: 1, cpu: 50 },
      { at: 0.5, cpu: 50 },
    ])
    expect(windows.peakPercent).toBe(100)
  })

  it('has the same peak as trying all windows', () => {
    fc.assert(
      fc.property(series, (points) => {
        const expected = windowPercents(points)
        const all = [...expected, ...neighbours(points).map(({ percent }) => percent)]
        const { peakPercent, latestPercent } = windowsOf(points)
        expect(peakPercent).toBe(all.length === 0 ? NaN : Math.max(...all))
        expect(latestPercent).toBe(expected.at(-1) ?? NaN)
      }),
    )
  })

  it('weighs each window by its time in the percentile', () => {
    // 96 s at 10 % in one long window, then four single seconds at 100 %.
    const points = [
      { at: 0, cpu: 0 },
      { at: 96, cpu: 9.6 },
    ]
    for (let second = 1; second <= 4; second++) points.push({ at: 96 + second, cpu: 9.6 + second })
    expect(windowsOf(points).percentile95()).toBeCloseTo(10)
    for (let second = 5; second <= 9; second++) points.push({ at: 96 + second, cpu: 9.6 + second })
    expect(windowsOf(points).percentile95()).toBeCloseTo(100)
  })

  it('has the same percentile as spreading the windows over time', () => {
    fc.assert(
      fc.property(series, (points) => {
        // Every 64th of a second, with the percent of the window it lies in.
        const moments = neighbours(points).flatMap(({ seconds, percent }) =>
          Array<number>(seconds * 64).fill(percent),
        )
        moments.sort((a, b) => a - b)
        const expected = moments[Math.ceil(moments.length * 0.95 - 1e-9) - 1]
        expect(windowsOf(points).percentile95()).toBe(expected)
      }),
    )
  })
})
