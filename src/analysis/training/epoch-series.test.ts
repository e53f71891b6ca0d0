import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lastRun, parseEpochSeries, type EpochSeries } from './epoch-series.ts'

const documented = `step,timestamp,gpu_0_util,gpu_0_memory_pct,cpu_percent,memory_percent,io_read_rate_mbps
0,2025-10-07T10:00:00,85.3,50.0,45.2,48.5,75.2
10,2025-10-07T10:00:05,87.1,51.2,46.3,49.1,73.8
`

describe('the CSV file of an epoch, read', () => {
  it('has steps, times and figures', () => {
    const series = parseEpochSeries(1, documented)
    expect(series?.steps).toEqual([0, 10])
    expect((series?.times[1] ?? 0) - (series?.times[0] ?? 0)).toBe(5)
    expect(series?.figures.get('gpu_0_util')).toEqual([85.3, 87.1])
    expect([...(series?.figures.keys() ?? [])]).toHaveLength(5)
  })

  it('counts lines that are no rows, and leaves what was not measured unknown', () => {
    const text = `step,timestamp,a\n0,2025-10-07T10:00:00Z,\n1,2025\nx,2025-10-07T10:00:00Z,1\n`
    expect(parseEpochSeries(0, text)).toMatchObject({ steps: [0], brokenLines: 2 })
    expect(parseEpochSeries(0, text)?.figures.get('a')).toEqual([NaN])
    expect(parseEpochSeries(0, 'name,price\n1,2\n')).toBeUndefined()
    expect(parseEpochSeries(0, '')).toBeUndefined()
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(documented.length), (noise, at) => {
        const series = parseEpochSeries(0, documented.slice(0, at) + noise + documented.slice(at))
        for (const values of series?.figures.values() ?? [])
          expect(values).toHaveLength(series?.steps.length ?? -1)
      }),
    )
  })
})

describe('the last run in a folder', () => {
  const series = (epoch: number, steps: number[], start: number): EpochSeries => ({
    epoch,
    steps,
    times: steps.map((_, index) => start + index),
    figures: new Map([['a', steps.map(Number)]]),
    brokenLines: 0,
  })

  it('is all of it where there was one', () => {
    const files = [series(1, [0, 10], 200), series(0, [0, 10, 20], 100)]
    const { epochs, earlierRows } = lastRun(files)
    expect(epochs.map(({ epoch }) => epoch)).toEqual([0, 1])
    expect(earlierRows).toBe(0)
  })

  it('begins where steps go back', () => {
    const { epochs, earlierRows } = lastRun([series(0, [0, 10, 20, 0, 10], 100)])
    expect(epochs[0]?.steps).toEqual([0, 10])
    expect(epochs[0]?.figures.get('a')).toEqual([0, 10])
    expect(earlierRows).toBe(3)
  })

  it('leaves out epochs that only an earlier run came to, and keeps those that were resumed', () => {
    const stale = lastRun([series(0, [0], 500), series(1, [0], 600), series(2, [0, 1], 300)])
    expect(stale.epochs.map(({ epoch }) => epoch)).toEqual([0, 1])
    expect(stale.earlierRows).toBe(2)
    const resumed = lastRun([series(0, [0], 100), series(1, [0, 1, 0], 900)])
    expect(resumed.epochs.map(({ steps }) => steps)).toEqual([[0], [0]])
  })
})
