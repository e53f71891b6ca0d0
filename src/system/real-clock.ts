import { bootSeconds } from './boot-clock.ts'
import type { Clock } from './system.ts'

/** Node counts the milliseconds of a timer in 31 bits, which is 24 days, and takes more than that for 1 ms. */
const longestTimerSeconds = 2_000_000

/** Not by `performance`: the first use of that loads a module for 1 ms, of the 14 that a run may cost. */
export const realClock: Clock = {
  wallSeconds: () => Date.now() / 1000,
  monotonicSeconds() {
    const [seconds, nanoseconds] = process.hrtime()
    return seconds + nanoseconds / 1e9
  },
  bootSeconds,
  after: (seconds, callback) => startTimer(seconds, callback, (timer) => timer),
}

/** For what only looks on: it does not keep the program alive. */
export const backgroundClock: Clock = {
  ...realClock,
  after: (seconds, callback) => startTimer(seconds, callback, (timer) => timer.unref()),
}

function startTimer(
  seconds: number,
  callback: () => void,
  prepare: (timer: NodeJS.Timeout) => NodeJS.Timeout,
): () => void {
  const start = (left: number): NodeJS.Timeout =>
    prepare(
      left > longestTimerSeconds
        ? setTimeout(() => (timer = start(left - longestTimerSeconds)), longestTimerSeconds * 1000)
        : setTimeout(callback, left * 1000),
    )
  let timer = start(seconds)
  return () => clearTimeout(timer)
}
