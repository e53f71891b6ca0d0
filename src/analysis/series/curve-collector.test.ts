import { describe, expect, it } from 'vitest'
import { CurveCollector } from './curve-collector.ts'
import type { CountedSample } from './held-counters.ts'
import type { CurveSample } from './job-curves.ts'

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

describe('the counters of many jobs', () => {
  const jobs = [1, 2, 3, 4, 5, 6]
  const looks = 50

  /** Jobs that run side by side, so that their samples are spread over the whole file; one in three was tried twice. */
  const counted: readonly (CurveSample & CountedSample)[] = Array.from(
    { length: looks * jobs.length },
    (_, at) => {
      const [look, jobId] = [Math.floor(at / jobs.length), jobs[at % jobs.length] ?? 0]
      return {
        ...sample(1000 + look + jobId / 10, { memoryBytes: at }),
        jobId,
        attempt: jobId % 3 === 0 && look > 30 ? 2 : 1,
        elapsedSeconds: look,
        cpuUserSeconds: look * jobId + (at % 7) / 10,
        cpuSystemSeconds: look / 10,
        threads: jobId,
      }
    },
  )

  /** As a file is read: once for all, and again for what there was no room for. */
  function read(mostHeld?: number) {
    const collector = new CurveCollector(100, mostHeld)
    for (const one of counted) collector.addCounted(one)
    collector.deriveCpu(() => 16)
    const ranges = []
    for (;;) {
      const range = collector.nextUncounted()
      if (range === undefined) break
      ranges.push([range.first, range.last])
      // A sample that was written since the first reading is in none of the curves.
      for (const one of [...counted, ...counted.slice(-jobs.length)])
        if (one.jobId >= range.first && one.jobId <= range.last) collector.addCounters(one)
      collector.deriveCpu(() => 16)
    }
    return { ranges, curves: jobs.map((jobId) => collector.curves(jobId)) }
  }

  it('give the same curves however many are held at once', () => {
    const all = read()
    expect(all.ranges).toEqual([])
    expect(all.curves[5]?.[1]?.metrics.cpuPercent.times.length).toBeGreaterThan(10)
    for (const mostHeld of [1, 60, 120, 290]) expect(read(mostHeld).curves).toEqual(all.curves)
  })

  it('are read again for as many jobs at a time as there is room for', () => {
    const one = jobs.map((jobId) => [jobId, jobId])
    expect(read(1).ranges).toEqual(one)
    expect(read(2 * looks).ranges).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ])
  })

  it('of one job are held, however many they are', () => {
    const collector = new CurveCollector(100, 10)
    for (const one of counted) if (one.jobId === 4) collector.addCounted(one)
    expect(collector.nextUncounted()).toBeUndefined()
  })
})
