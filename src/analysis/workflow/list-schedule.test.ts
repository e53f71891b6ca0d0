import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scheduleSeconds, type JobAhead } from './list-schedule.ts'

const job = (
  name: string,
  seconds: number,
  waitsFor: readonly string[] = [],
  isRunning = false,
): JobAhead => ({ name, seconds, waitsFor, isRunning })

const anyJobs = fc
  .array(
    fc.record({
      seconds: fc.integer({ min: 0, max: 50 }),
      picks: fc.array(fc.nat(100), { maxLength: 3 }),
      isRunning: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map((made) =>
    made.map(({ seconds, picks, isRunning }, index) =>
      job(
        `j${index}`,
        seconds,
        index === 0 || isRunning ? [] : [...new Set(picks.map((pick) => `j${pick % index}`))],
        isRunning,
      ),
    ),
  )

/** By its definition. */
function criticalSeconds(jobs: readonly JobAhead[]): number {
  const ends = new Map<string, number>()
  for (const { name, seconds, waitsFor } of jobs)
    ends.set(name, seconds + Math.max(0, ...waitsFor.map((one) => ends.get(one) ?? 0)))
  return Math.max(0, ...ends.values())
}

describe('a list schedule', () => {
  it('fills places in order, and starts what waits when all that it waits for has ended', () => {
    const jobs = [
      job('a', 10, [], true),
      job('b', 4),
      job('c', 5),
      job('d', 1, ['b', 'c', 'long ago']),
      job('e', 2, ['a', 'd']),
    ]
    expect(scheduleSeconds(jobs, 2)).toBe(12)
    expect(scheduleSeconds(jobs, 1)).toBe(22)
    expect(scheduleSeconds([], 3)).toBe(0)
  })

  it('is the critical path where there is a place for each, and all of the work where there is one', () => {
    fc.assert(
      fc.property(anyJobs, fc.integer({ min: 1, max: 6 }), (jobs, places) => {
        const critical = criticalSeconds(jobs)
        const work = jobs.reduce((sum, { seconds }) => sum + seconds, 0)
        expect(scheduleSeconds(jobs, Infinity)).toBe(critical)
        const seconds = scheduleSeconds(jobs, places)
        expect(seconds).toBeGreaterThanOrEqual(critical)
        expect(seconds).toBeLessThanOrEqual(critical + work / places + 1e-9)
        expect(
          scheduleSeconds(
            jobs.map((one) => ({ ...one, isRunning: false })),
            1,
          ),
        ).toBe(work)
      }),
    )
  })

  it('is quick for ten thousand jobs of which all wait for all of the stage before', () => {
    const stages = Array.from({ length: 10 }, (_, stage) =>
      Array.from({ length: 1000 }, (__, at) => `s${stage}_${at}`),
    )
    const jobs = stages.flatMap((names, stage) =>
      names.map((name) => job(name, 1, stages[stage - 1] ?? none)),
    )
    expect(scheduleSeconds(jobs, 100)).toBe(100)
  })
})

const none: readonly string[] = []
