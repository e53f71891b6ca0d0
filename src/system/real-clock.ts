import type { Clock } from './system.ts'

export const realClock: Clock = {
  wallSeconds: () => (performance.timeOrigin + performance.now()) / 1000 + wallStep(),
  monotonicSeconds: () => performance.now() / 1000,
  after(seconds, callback) {
    const timer = setTimeout(callback, seconds * 1000)
    return () => clearTimeout(timer)
  },
}

/** `performance` has microseconds but does not follow a clock that is set; `Date` follows but has milliseconds. */
function wallStep(): number {
  const drift = Date.now() - (performance.timeOrigin + performance.now())
  return Math.abs(drift) < 2 ? 0 : drift / 1000
}
