import type { Meter } from '../meter/meter.ts'
import { isZombie } from '../sensors/procfs/stat.ts'
import type { System } from '../system/system.ts'

/** Whose parent is killed comes to us next: again, until none is left. */
const mostRounds = 100

/**
 * Ends the orphans of which nothing told whose they are. While jobs run they are nobody's to end; when the last is over,
 * all of them were left behind by one or the other.
 */
export function endStrays(system: System, meter: Meter): void {
  const killed = new Set<number>()
  for (let round = 0; round < mostRounds; round++) {
    const strays = (meter.unknownChildren() ?? []).filter((pid) => {
      const stat = meter.identify(pid)
      return stat !== undefined && !isZombie(stat)
    })
    if (strays.length === 0) return
    for (const pid of strays) {
      if (!killed.has(pid)) system.processes.signal(pid, 'SIGKILL')
      killed.add(pid)
    }
  }
}
