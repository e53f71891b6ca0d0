import type { CgroupUsage } from '../../../sensors/cgroup/cgroup-sensor.ts'
import type { Members } from '../../members.ts'
import type { Plausible } from '../../plausible.ts'

/**
 * What a job's cgroup knows of its memory. The kernel keeps the peak of all processes together, so that no moment is
 * too short to be in it; but page cache is in it too, and how much of that there was at the highest moment is not told.
 */
export class CgroupMemory {
  /** Page cache included. */
  peakBytes = NaN
  /** As it was at the first look. */
  #earlyPeakBytes = NaN
  /** Processes that the kernel killed for want of memory, of the job's limit or of the machine's. */
  oomKills = NaN
  #fileBytes = 0

  note(usage: CgroupUsage, plausible: Plausible): void {
    const highest = Math.max(usage.memoryPeakBytes || 0, usage.memoryBytes || 0)
    if (highest > 0 && highest <= plausible.mostMemoryBytes)
      this.peakBytes = Math.max(this.peakBytes || 0, highest)
    if (Number.isNaN(this.#earlyPeakBytes)) this.#earlyPeakBytes = this.peakBytes
    if (usage.oomKills >= 0 && usage.oomKills <= plausible.mostThreads)
      this.oomKills = Math.max(this.oomKills || 0, usage.oomKills)
    this.#fileBytes = Math.max(this.#fileBytes, usage.fileBytes || 0)
  }

  /** Whether a runtime that held so much at most may have had the peak, before the container's own program was started. */
  mayBeOfRuntime(mostBytes: number): boolean {
    return this.peakBytes <= mostBytes && this.peakBytes <= this.#earlyPeakBytes
  }

  /** Peak less the page cache that was seen: as much as the job may have held, if no more cache than that was there. */
  likelyBytes(): number {
    return Math.max(0, this.peakBytes - this.#fileBytes)
  }

  /**
   * Peak less all the page cache that there can have been: what the job certainly held, with what the kernel held for
   * it (stacks, page tables). Nothing gets into the cache but what was read from a disk or written to a file. The kernel
   * charges up to 256 KB ahead for each CPU that the job runs on, of which nothing tells; mostly it is far less.
   */
  provenBytes(members: Members): number {
    const { readBytes, writeChars } = members.totals()
    const mostCache = Math.max(this.#fileBytes, readBytes + writeChars)
    return Math.max(0, this.peakBytes - mostCache)
  }
}
