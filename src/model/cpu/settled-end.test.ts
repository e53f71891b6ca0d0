import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuPercents } from './cpu-percents.ts'
import { settledEnd } from './settled-end.ts'

interface Step {
  readonly seconds: number
  readonly cpu: number
}

/** Samples of threads that are gone at the last of them. `threads`: NaN where nobody counted them. */
function sampled(steps: readonly Step[], threads = 1) {
  let [elapsed, used] = [0.01, 0]
  const times = [elapsed]
  const cpu = [used]
  for (const step of steps) {
    times.push((elapsed += step.seconds))
    cpu.push((used += step.cpu))
  }
  const gone = Number.isNaN(threads) ? threads : 0
  return {
    elapsedSeconds: Float64Array.from(times),
    userSeconds: Float64Array.from(cpu),
    systemSeconds: new Float64Array(times.length),
    threads: Float64Array.from(times, (_, row) => (row === times.length - 1 ? gone : threads)),
  }
}

const percents = (steps: readonly Step[], threads?: number) =>
  [...cpuPercents(sampled(steps, threads), 2)].slice(1)

const busy: readonly Step[] = [
  { seconds: 0.5, cpu: 0.47 },
  { seconds: 0.5, cpu: 0.49 },
  { seconds: 0.5, cpu: 0.24 },
]
const asleep: readonly Step[] = [
  { seconds: 0.5, cpu: 0 },
  { seconds: 0.5, cpu: 0 },
]

describe('the end of a job, as its CPU is shown', () => {
  it('was at rest where it slept, though the account at its exit tells 16 ms more', () => {
    for (const seconds of [0.000_25, 0.012, 0.056, 0.3]) {
      const shown = percents([...busy, ...asleep, { seconds, cpu: 0.016 }])
      expect(shown.slice(3)).toEqual([0, 0, 0])
      expect(shown[2]).toBeCloseTo((100 * 0.256) / 0.5)
    }
  })

  it('was at rest where a second look found nobody', () => {
    const ends = [
      { seconds: 0.056, cpu: 0.016 },
      { seconds: 0.000_25, cpu: 0.0005 },
    ]
    const counters = sampled([...busy, ...asleep, ...ends])
    counters.threads[counters.threads.length - 2] = 0
    expect([...cpuPercents(counters, 2)].slice(4).every((percent) => percent < 1e-9)).toBe(true)
  })

  it('was at rest where the exit tells less than a twentieth of a core', () => {
    expect(percents([...busy, ...asleep, { seconds: 0.4, cpu: 0.01 }]).slice(3)).toEqual([0, 0, 0])
  })

  it('is as busy as the step before it where it is too narrow to tell', () => {
    const half = { seconds: 1, cpu: 0.5 }
    const shown = percents([half, half, { seconds: 0.002, cpu: 0.002 }])
    expect(shown[2]).toBeCloseTo(50, 0)
    expect(shown[1]).toBeCloseTo(50, 0)
  })

  it('was busy where it used more than ticks can hide, or worked on', () => {
    const last = { seconds: 0.2, cpu: 0.1 }
    expect(percents([...busy, ...asleep, last]).at(-1)).toBeCloseTo(50)
    const full = { seconds: 0.5, cpu: 0.5 }
    expect(percents([full, full, { seconds: 0.02, cpu: 0.02 }]).at(-1)).toBeCloseTo(100)
  })

  it('was busy where work began again after a rest, however many threads slept', () => {
    const full = { seconds: 0.5, cpu: 0.5 }
    const steps = [full, full, full, ...asleep, full, full, full]
    for (const threads of [1, 16, 64]) {
      const shown = percents(steps, threads)
      for (const [index, percent] of shown.entries())
        expect(percent).toBeCloseTo((steps[index]?.cpu ?? 0) * 200)
    }
  })

  it('was busy in the steps before the last look, however little they tell', () => {
    const last = { seconds: 0.05, cpu: 0.01 }
    const shown = percents([...busy, ...asleep, last, last, { seconds: 0.01, cpu: 0.002 }], 64)
    expect(shown[5]).toBeCloseTo(20)
  })

  it('shows a job of which only the exit told what it used', () => {
    const none = { seconds: 0.01, cpu: 0 }
    const shown = percents([none, none, { seconds: 0.01, cpu: 0.024 }])
    for (const percent of shown) expect(percent).toBeCloseTo(80)
  })

  it('never goes back, and ends with what was read', () => {
    const step = fc.record({
      seconds: fc.constantFrom(0.000_25, 0.01, 0.056, 0.5, 1),
      cpu: fc.constantFrom(0, 0.0005, 0.01, 0.016, 0.1, 0.5),
    })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        const { elapsedSeconds, userSeconds: cpuSeconds, threads } = sampled(steps)
        const settled = settledEnd({ elapsedSeconds, cpuSeconds, threads })
        settled.forEach((seconds, row) =>
          expect(seconds).toBeGreaterThanOrEqual((settled[row - 1] ?? 0) - 1e-12),
        )
        expect(settled.at(-1)).toBe(cpuSeconds.at(-1))
        expect(settled[0]).toBe(cpuSeconds[0])
      }),
    )
  })

  it('leaves a job alone that goes on, or may go on as nobody counted its threads', () => {
    const { elapsedSeconds, userSeconds: cpuSeconds } = sampled([
      ...busy,
      ...asleep,
      { seconds: 0.056, cpu: 0.016 },
    ])
    for (const alive of [1, Number.NaN]) {
      const threads = elapsedSeconds.map(() => alive)
      expect(settledEnd({ elapsedSeconds, cpuSeconds, threads })).toEqual(cpuSeconds)
    }
  })

  it('is what the counter of a cgroup says, which knows each microsecond', () => {
    const exact = busy.map(({ seconds, cpu }) => ({ seconds, cpu: cpu + 0.001_234 }))
    const { userSeconds: cpuSeconds, ...others } = sampled([
      ...exact,
      ...asleep,
      { seconds: 0.056, cpu: 0.016 },
    ])
    expect(settledEnd({ ...others, cpuSeconds })).toEqual(cpuSeconds)
  })
})
