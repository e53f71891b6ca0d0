import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generator } from '../../../test/synthetic/series.ts'
import { sampleWidth } from '../../../test/synthetic/sample-width.ts'
import { sampleIndex, type SampleRow } from '../../model/sample.ts'
import { evenSeries } from './even-series.ts'
import { deriveSeries } from './rates.ts'

interface Shape {
  readonly seed: number
  readonly threads: number
  readonly intervalSeconds: number
  /** Up to so long after its counters were read is a sample stamped. */
  readonly mostLag: number
}

const tick = 0.01

/** Threads that each keep a core busy for some stretches, as the kernel's ticks and late stamps show them. */
function sampled({ seed, threads, intervalSeconds, mostLag }: Shape): SampleRow[] {
  const random = generator(seed)
  const busyShare = random() < 0.5 ? 1 : random()
  const rows: SampleRow[] = []
  let [time, used] = [0, 0]
  for (let look = 0; look < 40; look += 1) {
    const step = look < 7 ? 0.005 * 2 ** look : intervalSeconds
    const isBusy = random() < busyShare
    time += step
    used += isBusy ? threads * step : 0
    const lag = mostLag * random()
    const seen = Math.max(0, used - (isBusy ? threads * Math.min(lag, step) : 0))
    const row = new Float64Array(sampleWidth).fill(Number.NaN)
    row[sampleIndex.elapsed_seconds] = time
    row[sampleIndex.cpu_user_seconds] = Math.floor((0.7 * seen) / tick) * tick
    row[sampleIndex.cpu_system_seconds] = Math.floor((0.3 * seen) / tick) * tick
    row[sampleIndex.num_threads] = threads
    rows.push(row)
  }
  return rows
}

const shapes = fc.record({
  seed: fc.nat(),
  threads: fc.integer({ min: 1, max: 4 }),
  intervalSeconds: fc.constantFrom(0.1, 0.5, 1, 5),
  mostLag: fc.constantFrom(0, 0.001, 0.01),
})

const counter = (row: SampleRow | undefined): number =>
  (row?.[sampleIndex.cpu_user_seconds] ?? 0) + (row?.[sampleIndex.cpu_system_seconds] ?? 0)

describe('the CPU of a series', () => {
  it('is never more than its threads can use, and none of it is lost', () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const rows = sampled(shape)
        const points = deriveSeries(rows, 64)
        let shown = 0
        points.forEach(({ cpuPercent, elapsedSeconds }, index) => {
          expect(cpuPercent ?? 0).toBeLessThanOrEqual(100 * shape.threads + 1e-6)
          const step = (elapsedSeconds ?? 0) - (points[index - 1]?.elapsedSeconds ?? 0)
          shown += ((cpuPercent ?? 0) / 100) * step
        })
        // What a first look told too late was used before it, which no rate shows.
        const most = counter(rows.at(-1)) - counter(rows[0])
        expect(shown).toBeLessThanOrEqual(most + 1e-6)
        expect(shown).toBeGreaterThanOrEqual(most - 0.03 * shape.threads)
        for (const cores of evenSeries(rows)?.cpuCores ?? [])
          expect(cores).toBeLessThanOrEqual(shape.threads + 1e-6)
      }),
      { seed: 7, numRuns: 300 },
    )
  })

  it('is never more than one core for one busy thread beside a wrapper that sleeps', () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const rows = sampled({ ...shape, threads: 1 })
        for (const row of rows) row[sampleIndex.num_threads] = 2
        for (const { cpuPercent } of deriveSeries(rows, 64))
          expect(cpuPercent ?? 0).toBeLessThanOrEqual(100 + 1e-6)
      }),
      { seed: 7, numRuns: 300 },
    )
  })

  it('is told as it is where a second thread does a little all the time', () => {
    const rows = Array.from({ length: 20 }, (_, second) => {
      const row = new Float64Array(sampleWidth).fill(Number.NaN)
      row[sampleIndex.elapsed_seconds] = second
      row[sampleIndex.cpu_user_seconds] = Math.floor(second * 1.02 * 100) / 100
      row[sampleIndex.cpu_system_seconds] = 0
      row[sampleIndex.num_threads] = 2
      return row
    })
    const points = deriveSeries(rows, 64).slice(1)
    for (const { cpuPercent } of points) expect(Math.abs((cpuPercent ?? 0) - 102)).toBeLessThan(1.1)
  })

  it('is more than the threads that were seen where others came and went in between', () => {
    const rows = [1, 2, 3].map((time) => {
      const row = new Float64Array(sampleWidth).fill(Number.NaN)
      row[sampleIndex.elapsed_seconds] = time
      row[sampleIndex.cpu_user_seconds] = 3 * time
      row[sampleIndex.cpu_system_seconds] = 0
      row[sampleIndex.num_threads] = 1
      return row
    })
    expect(deriveSeries(rows, 4).map(({ cpuPercent }) => cpuPercent)).toEqual([null, 300, 300])
  })
})
