import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leastSlackSeconds } from '../cpu-room.ts'
import { busyThreads } from './busy-threads.ts'

/** By the rule that the function states, step for step. */
function plainly(times: Float64Array, cpu: Float64Array): Float64Array {
  const bounds = new Float64Array(times.length).fill(Infinity)
  let [excess, runEnd] = [0, times.length]
  for (let index = times.length - 1; index > 0; index -= 1) {
    const step = (times[index] ?? 0) - (times[index - 1] ?? 0)
    const increase = (cpu[index] ?? 0) - (cpu[index - 1] ?? 0)
    const busy = Math.max(1, Math.ceil((increase - leastSlackSeconds) / step))
    excess = Math.max(0, excess + increase - busy * step)
    bounds[index] = busy
    if (excess > leastSlackSeconds)
      for (let later = index; later < runEnd; later += 1) bounds[later] = Infinity
    if (excess === 0) runEnd = index
  }
  return bounds
}

describe('busyThreads', () => {
  it('bounds each step by the threads that were busy in it, except where an excess adds up', () => {
    const increase = fc.constantFrom(0, 0.5, 0.99, 1.004, 1.012, 1.02, 2.01)
    fc.assert(
      fc.property(fc.array(increase, { maxLength: 60 }), (increases) => {
        let used = 0
        const cpu = Float64Array.from(increases, (more) => (used += more))
        const times = Float64Array.from(increases, (_, index) => index)
        expect(busyThreads(times, cpu)).toEqual(plainly(times, cpu))
      }),
    )
  })

  it('takes no longer for each step of a long run: 400,000 of a core and a little more', () => {
    const times = Float64Array.from({ length: 400_000 }, (_, index) => index)
    const bounds = busyThreads(
      times,
      times.map((second) => 1.003 * second),
    )
    expect(bounds.subarray(0, 399_000).every((bound) => bound === Infinity)).toBe(true)
  })
})
