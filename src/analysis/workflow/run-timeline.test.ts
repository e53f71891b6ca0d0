import { describe, expect, it } from 'vitest'
import { runTimeline } from './run-timeline.ts'

const job = (
  name: string,
  dependsOn: readonly string[],
  ...attempts: readonly (readonly [runId: number, from: number, to: number | null])[]
) => ({
  name,
  dependsOn,
  attempts: attempts.map(([runId, startedAt, endedAt]) => ({ runId, startedAt, endedAt })),
})

describe('runTimeline', () => {
  it('tells when each job could have started, and the chain that took longest', () => {
    const timeline = runTimeline(
      [
        job('load', [], [1, 1000, 1010]),
        job('quick', ['load'], [1, 1012, 1015]),
        job('slow', ['load'], [1, 1010, 1040]),
        job('end', ['quick', 'slow'], [1, 1045, 1050]),
        job('never', ['end']),
      ],
      [{ runId: 1, startedAt: 1000, endedAt: 1050 }],
      2000,
    )
    expect(timeline.seconds).toBe(50)
    expect(timeline.jobs.map(({ readyAt }) => readyAt)).toEqual([0, 10, 10, 40, null])
    expect(timeline.jobs.map(({ isCritical }) => isCritical)).toEqual([
      true,
      false,
      true,
      true,
      false,
    ])
  })

  it('leaves out the time between runs, and keeps retries apart', () => {
    const { seconds, runs, jobs } = runTimeline(
      [job('a', [], [1, 0, 10]), job('b', ['a'], [1, 10, 20], [2, 90_000, 90_005])],
      [
        { runId: 1, startedAt: 0, endedAt: 20 },
        { runId: 2, startedAt: 89_999, endedAt: 90_005 },
      ],
      100_000,
    )
    expect(seconds).toBe(26)
    expect(runs).toEqual([
      { runId: 1, at: 0 },
      { runId: 2, at: 20 },
    ])
    expect(jobs[1]?.attempts).toEqual([
      { from: 10, to: 20 },
      { from: 21, to: 26 },
    ])
  })

  it('draws nothing backwards where a clock was set back between a start and an end, or since', () => {
    const runs = [{ runId: 1, startedAt: 1000, endedAt: 400 }]
    const made = [job('a', [], [1, 1010, 400]), job('b', [], [1, 1005, null])]
    const { seconds, jobs } = runTimeline(made, runs, 500)
    expect(seconds).toBeGreaterThanOrEqual(0)
    for (const { from, to } of jobs.flatMap(({ attempts }) => attempts)) {
      expect(to).toBeGreaterThanOrEqual(from)
      expect(seconds).toBeGreaterThanOrEqual(to)
    }
  })

  it('draws what still runs up to now', () => {
    const runs = [{ runId: 1, startedAt: 100, endedAt: null }]
    expect(runTimeline([job('a', [], [1, 110, null])], runs, 150).jobs[0]?.attempts).toEqual([
      { from: 10, to: 50 },
    ])
  })
})
