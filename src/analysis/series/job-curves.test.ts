import { describe, expect, it } from 'vitest'
import { CurveCollector, type CurveSample } from './job-curves.ts'

const sample = (timestamp: number, more: Partial<CurveSample> = {}): CurveSample => ({
  jobId: 1,
  attempt: 1,
  timestamp,
  cpuPercent: Number.NaN,
  memoryBytes: Number.NaN,
  processes: Number.NaN,
  readBytes: Number.NaN,
  writeBytes: Number.NaN,
  ...more,
})

function collect(samples: readonly CurveSample[]): CurveCollector {
  const collector = new CurveCollector(100)
  for (const one of samples) collector.add(one)
  return collector
}

describe('CurveCollector', () => {
  it('keeps jobs and attempts apart, in order', () => {
    const collector = collect([
      sample(10, { jobId: 5, attempt: 2, processes: 3 }),
      sample(1, { jobId: 2, processes: 1 }),
      sample(4, { jobId: 5, attempt: 1, processes: 2 }),
      sample(6, { jobId: 5, attempt: 1, processes: 4 }),
    ])
    expect(collector.jobIds).toEqual([2, 5])
    const curves = collector.curves(5)
    expect(curves.map(({ attempt, startedAt, endedAt }) => [attempt, startedAt, endedAt])).toEqual([
      [1, 4, 6],
      [2, 10, 10],
    ])
    expect(curves[0]?.metrics.processes).toMatchObject({ peak: 4, mean: 4 })
    expect(collector.isOrdered).toBe(true)
  })

  it('weighs the mean by time', () => {
    const [curves] = collect([
      sample(0),
      sample(1, { cpuPercent: 400 }),
      sample(2, { cpuPercent: 400 }),
      sample(12, { cpuPercent: 100 }),
    ]).curves(1)
    expect(curves?.metrics.cpuPercent.mean).toBeCloseTo((400 + 1000) / 11)
    expect(curves?.metrics.cpuPercent.peak).toBe(400)
  })

  it('makes rates of counters, over the looks that have them', () => {
    const [curves] = collect([
      sample(0, { readBytes: 0 }),
      sample(1),
      sample(2, { readBytes: 100 }),
      sample(3, { readBytes: 40 }),
      sample(4, { readBytes: 90 }),
    ]).curves(1)
    expect([...(curves?.metrics.readBytesPerSecond.values ?? [])]).toEqual([50, 50])
    expect(curves?.metrics.writeBytesPerSecond).toMatchObject({ peak: null, mean: null })
  })

  it('notices samples out of order', () => {
    expect(collect([sample(2), sample(1)]).isOrdered).toBe(false)
  })
})
