import { Plausible } from '../../meter/plausible.ts'
import type { ContainerStats } from '../../sensors/container/stats.ts'
import type { Host } from '../../system/system.ts'

/** The kernel takes no period of a CPU limit shorter than a millisecond. */
const mostPeriodsPerSecond = 1000

/** Whether a daemon's statistics can be true of a container on this machine. */
export class PlausibleStats {
  readonly #most: Plausible
  readonly #memoryBytes: number

  constructor(host: Host, memoryBytes: number | null) {
    this.#most = new Plausible(host)
    this.#memoryBytes = memoryBytes ?? 0
  }

  /** What is not told (NaN) is not against them. */
  allows(stats: ContainerStats, ageSeconds: number): boolean {
    const most = this.#most
    most.update(ageSeconds, this.#memoryBytes, 0)
    const mostPeriods = most.mostSeconds * mostPeriodsPerSecond
    const bounds: Readonly<Record<keyof ContainerStats, number>> = {
      cpuSeconds: most.mostCpuSeconds,
      userSeconds: most.mostCpuSeconds,
      systemSeconds: most.mostCpuSeconds,
      memoryBytes: most.mostMemoryBytes,
      pids: most.mostThreads,
      throttledSeconds: most.mostCpuSeconds,
      throttledPeriods: mostPeriods,
      periods: mostPeriods,
      netReceivedBytes: most.mostIoBytes,
      netSentBytes: most.mostIoBytes,
      blockReadBytes: most.mostIoBytes,
      blockWriteBytes: most.mostIoBytes,
    }
    return Object.entries(bounds).every(
      ([key, bound]) => !(stats[key as keyof ContainerStats] > bound),
    )
  }
}
