import { leastSlackSeconds } from '../cpu-room.ts'

/**
 * How many threads can have been busy in each step between readings of a CPU counter, where that is fewer than there
 * are: one that works beside a wrapper that sleeps uses one core, whatever ticks make of it. Ticks and late readings
 * put at most a little into the wrong step, and never more the longer it lasts: where an excess adds up over steps it is
 * real, and there is no bound (Infinity). The bound of a step stands at the index of its end.
 */
export function busyThreads(elapsedSeconds: Float64Array, cpuSeconds: Float64Array): Float64Array {
  const bounds = new Float64Array(elapsedSeconds.length).fill(Infinity)
  let excess = 0
  let runEnd = bounds.length
  // From the last to the first, as what is too much in a step goes to the one before.
  for (let index = bounds.length - 1; index > 0; index -= 1) {
    const step = difference(elapsedSeconds, index)
    const increase = difference(cpuSeconds, index)
    // A counter that went back, or was not read, says nothing of what came before.
    if (!(step > 0 && increase >= 0)) excess = 0
    else {
      const busy = Math.max(1, Math.ceil((increase - leastSlackSeconds) / step))
      excess = Math.max(0, excess + increase - busy * step)
      if (excess > leastSlackSeconds) {
        bounds.fill(Infinity, index, runEnd)
        // From here on there is no bound any more: each step is lifted once, however long the run is.
        runEnd = index
      } else bounds[index] = busy
    }
    if (excess === 0) runEnd = index
  }
  return bounds
}

const difference = (values: Float64Array, index: number): number =>
  (values[index] ?? Number.NaN) - (values[index - 1] ?? Number.NaN)
