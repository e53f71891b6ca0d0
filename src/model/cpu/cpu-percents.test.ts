import { describe, expect, it } from 'vitest'
import { cpuPercents } from './cpu-percents.ts'

/** On two cores, after the first sample, which shows none. */
function uncounted(steps: readonly { readonly seconds: number; readonly cpu: number }[]): number[] {
  let [elapsed, used] = [0.01, 0]
  const elapsedSeconds = Float64Array.from([
    elapsed,
    ...steps.map((step) => (elapsed += step.seconds)),
  ])
  const userSeconds = Float64Array.from([used, ...steps.map((step) => (used += step.cpu))])
  const systemSeconds = userSeconds.map(() => 0)
  const threads = userSeconds.map(() => Number.NaN)
  return [...cpuPercents({ elapsedSeconds, userSeconds, systemSeconds, threads }, 2)].slice(1)
}

describe('the CPU of a job whose threads nobody counted', () => {
  it('is never more than a core for one busy thread, whatever ticks make of it', () => {
    const steps = [
      { seconds: 0.008, cpu: 0.01 },
      { seconds: 0.0074, cpu: 0 },
      { seconds: 0.0293, cpu: 0.03 },
      { seconds: 0.05, cpu: 0.04 },
      { seconds: 0.01, cpu: 0.02 },
    ]
    for (const percent of uncounted(steps)) expect(percent).toBeLessThanOrEqual(100)
  })

  it('is what two of them used together', () => {
    const step = { seconds: 1, cpu: 2 }
    expect(uncounted([step, step, step])).toEqual([200, 200, 200])
  })
})
