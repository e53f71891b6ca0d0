import type { System } from '../system/system.ts'

/** Of each machine that jobs are launched on: tests have several. */
const ownCpuReadings = new WeakMap<System, { at: number; seconds: number }>()

/** CPU seconds that we used ourselves, as of now or a millisecond ago: where jobs are short, the end of one is as good for the start of the next. */
export function recentOwnCpuSeconds(system: System): number {
  const now = system.clock.monotonicSeconds()
  const known = ownCpuReadings.get(system)
  if (known !== undefined && now - known.at < 0.001) return known.seconds
  const seconds = system.processes.ownCpuSeconds()
  ownCpuReadings.set(system, { at: now, seconds })
  return seconds
}
