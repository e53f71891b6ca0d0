import type { Clock } from './system.ts'

/**
 * Seconds since 1970 for what belongs together, such as the jobs of one run: by the wall clock as it is now, and by the
 * one that never steps from now on. Whatever is done to the wall clock, nothing ends before it starts.
 */
export function steadyTime(clock: Clock): () => number {
  const offset = clock.wallSeconds() - clock.monotonicSeconds()
  return () => offset + clock.monotonicSeconds()
}
