import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endEstimate, type ComingJob, type FinishedJob } from './end-estimate.ts'

const none: readonly string[] = []
const asked = { cpus: 1, runtimeSeconds: null, waitsFor: none }

interface Simulated {
  readonly durations: readonly number[]
  readonly places: number
}

/** When jobs start and end that take the next free place, in their order. */
function simulate({ durations, places }: Simulated) {
  const free = Array.from({ length: places }, () => 1_000)
  const jobs = durations.map((durationSeconds, index) => {
    const place = free.indexOf(Math.min(...free))
    const startedAt = free[place] ?? 0
    free[place] = startedAt + durationSeconds
    return { ...asked, name: `part_${index}`, startedAt, durationSeconds }
  })
  return { jobs, endsAt: Math.max(...free) }
}

/** What is known of them at a moment. */
function seenAt(jobs: readonly FinishedJob[], now: number) {
  const finished = jobs.filter((job) => job.startedAt + job.durationSeconds <= now)
  const coming = jobs
    .filter((job) => !finished.includes(job))
    .map((job): ComingJob => ({
      ...job,
      startedAt: job.startedAt <= now ? job.startedAt : null,
      waitsFor: none,
    }))
  return { finished, coming }
}

const anyRun = fc.record({
  durations: fc.array(fc.double({ min: 5, max: 15, noNaN: true }), {
    minLength: 30,
    maxLength: 200,
    size: 'max',
  }),
  places: fc.integer({ min: 1, max: 8 }),
})

describe('the estimate of when a workflow ends', () => {
  it('is unknown as long as nothing has ended, and when all has', () => {
    expect(endEstimate([{ ...asked, name: 'a', startedAt: 5 }], [], 10)).toBeNull()
    const done = [{ ...asked, name: 'a', startedAt: 5, durationSeconds: 2 }]
    expect(endEstimate([], done, 10)).toBeNull()
  })

  it('is never before now, and between its bounds', () => {
    fc.assert(
      fc.property(anyRun, fc.double({ min: 0, max: 1, noNaN: true }), (run, share) => {
        const { jobs, endsAt } = simulate(run)
        const now = 1_000 + share * (endsAt - 1_000)
        const { coming, finished } = seenAt(jobs, now)
        const estimate = endEstimate(coming, finished, now)
        if (estimate === null) return
        expect(estimate.earliestAt).toBeGreaterThanOrEqual(now)
        expect(estimate.endsAt).toBeGreaterThanOrEqual(estimate.earliestAt)
        expect(estimate.latestAt).toBeGreaterThanOrEqual(estimate.endsAt)
      }),
    )
  })

  it('holds the true end between its bounds in about four of five runs, and is near it', () => {
    let [held, errors] = [0, 0]
    const runs = fc.sample(anyRun, { numRuns: 300, seed: 11 })
    for (const run of runs) {
      const { jobs, endsAt } = simulate(run)
      const now = 1_000 + (endsAt - 1_000) * 0.4
      const { coming, finished } = seenAt(jobs, now)
      const estimate = endEstimate(coming, finished, now)
      if (estimate === null) throw new Error('nothing was estimated')
      if (estimate.earliestAt <= endsAt && endsAt <= estimate.latestAt) held += 1
      errors += Math.abs(estimate.endsAt - endsAt) / (endsAt - now)
    }
    expect(held / runs.length).toBeGreaterThan(0.75)
    expect(errors / runs.length).toBeLessThan(0.1)
  })

  it('goes by jobs of the same template, not by others', () => {
    const job = (name: string, startedAt: number, durationSeconds: number): FinishedJob => ({
      ...asked,
      name,
      startedAt,
      durationSeconds,
    })
    const finished = [
      job('fast_1', 0, 1),
      job('fast_2', 1, 1),
      job('slow_1', 0, 100),
      job('slow_2', 0, 100),
    ]
    const slow = endEstimate([{ ...asked, name: 'slow_3', startedAt: 100 }], finished, 100)
    expect(slow?.endsAt).toBe(200)
    const fast = endEstimate([{ ...asked, name: 'fast_3', startedAt: 100 }], finished, 100)
    expect(fast?.endsAt).toBe(101)
  })

  it('is not before the end of what must wait for one another', () => {
    // Four at once so far; what is left is one after the other.
    const finished = Array.from({ length: 8 }, (_, at) => ({
      ...asked,
      name: `part_${at}`,
      startedAt: at < 4 ? 0 : 10,
      durationSeconds: 10,
    }))
    const coming = Array.from({ length: 5 }, (_, at): ComingJob => ({
      ...asked,
      name: `part_${at + 8}`,
      startedAt: null,
      waitsFor: at === 0 ? ['part_1'] : [`part_${at + 7}`],
    }))
    const estimate = endEstimate(coming, finished, 20)
    expect(estimate).toMatchObject({ endsAt: 70, basis: expect.stringContaining('wait') })
    expect(estimate?.latestAt).toBeGreaterThanOrEqual(70)
    expect(estimate?.earliestAt).toBeGreaterThan(45)
    const free = coming.map((job) => ({ ...job, waitsFor: none }))
    expect(endEstimate(free, finished, 20)?.endsAt).toBeLessThan(50)
  })

  it('is near the true end of stages, of which each waits for all of the one before', () => {
    const stage = (names: readonly string[], startedAt: number, waitsFor: readonly string[]) =>
      names.map((name) => ({ ...asked, name, startedAt, durationSeconds: 10, waitsFor }))
    const [first = [], second = [], last = []] = ['x', 'y', 'z'].map((letter) =>
      Array.from({ length: 20 }, (_, at) => `part_${letter === 'z' ? 'z' : 'a'}${letter}${at}`),
    )
    const finished = [0, 10, 20, 30].flatMap((at, index) =>
      stage(first.slice(5 * index, 5 * index + 5), at, none),
    )
    const coming = [...stage(second, 0, first), ...stage(last, 0, second)].map((job, at) => ({
      ...job,
      startedAt: at < 5 ? 40 : null,
    }))
    // Twenty jobs of ten seconds, five at once: 40 s for each stage.
    const estimate = endEstimate(coming, finished, 40)
    expect(estimate?.endsAt).toBeGreaterThanOrEqual(120)
    expect(estimate?.endsAt).toBeLessThan(140)
  })

  it('takes the request for a guide where no job of the template has ended', () => {
    const half = { name: 'a', cpus: 1, runtimeSeconds: 20, startedAt: 0, durationSeconds: 10 }
    const coming = { name: 'b', cpus: 1, runtimeSeconds: 200, startedAt: null, waitsFor: none }
    expect(endEstimate([coming], [half], 10)?.endsAt).toBe(110)
  })
})
