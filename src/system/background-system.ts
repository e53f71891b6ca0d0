import { backgroundClock } from './real-clock.ts'
import { realSystem } from './real.ts'
import type { System } from './system.ts'

let opened: System | undefined

/**
 * This machine, for what only looks on inside somebody's program: its timers do not keep the program alive. It is opened once, because
 * each one that starts something listens for signals of its children.
 */
export function backgroundSystem(): System {
  if (opened === undefined) {
    const system = realSystem({ ownsProcess: false })
    opened = { ...system, clock: { ...system.clock, after: backgroundClock.after } }
  }
  return opened
}
