import type { Member } from './member.ts'
import type { Members } from './members.ts'
import type { Plausible } from './plausible.ts'
import type { ProcessReader } from './process-reader.ts'

/** Below this part of the whole, what processes could share cannot matter, and resident sizes are simply added. */
const negligibleShare = 0.02
/** Share of the time that reading proportional sizes may take, and what may be spent at the start. */
const proportionalTimeShare = 0.01
const proportionalStartSeconds = 0.05
/** While a job is still starting its processes, each look finds more: wait for two looks that find as many. */
const startingSeconds = 0.3

/**
 * How much memory a job holds, with pages shared inside it counted once, and the most it ever held.
 *
 * Summed resident sizes count a page once per process, three to five times too much for forking jobs.
 * Proportional sizes (PSS) do not, but cost 36 µs for a small process and 27 ms for one of 4 GB, and hold
 * the process's locks. So they are read only when the job seems to reach a new high.
 */
export class MemoryGauge {
  memoryBytes = 0
  rssBytes = 0
  swapBytes = 0
  peakBytes = 0
  peakBasis = ''
  rssPeakBytes = 0
  largestProcessBytes = 0
  swapPeakBytes = 0

  readonly #reader: ProcessReader
  readonly #plausible: Plausible
  readonly #pageBytes: number
  readonly #now: () => number
  readonly #ownCpu: () => number
  #sharedFactor = 1
  #rssAtReading = 0
  #processesAtReading = 0
  #proportionalReadable = true
  #allowanceSeconds = proportionalStartSeconds
  #allowanceAt: number
  readonly #startedAt: number
  #processesBefore = 0
  #leastSinceHighWater = Infinity

  constructor(
    reader: ProcessReader,
    plausible: Plausible,
    pageBytes: number,
    now: () => number,
    ownCpu: () => number,
  ) {
    this.#reader = reader
    this.#plausible = plausible
    this.#pageBytes = pageBytes
    this.#now = now
    this.#ownCpu = ownCpu
    this.#allowanceAt = now()
    this.#startedAt = this.#allowanceAt
  }

  /** False where the kernel or its permissions allow no proportional sizes. */
  get countsSharedOnce(): boolean {
    return this.#proportionalReadable
  }

  look(members: Members, withHighWater: boolean): void {
    const rss = members.residentPages * this.#pageBytes
    const largest = members.largestResidentPages * this.#pageBytes
    this.rssBytes = rss
    this.rssPeakBytes = Math.max(this.rssPeakBytes, rss)
    this.largestProcessBytes = Math.max(this.largestProcessBytes, largest)
    if (rss - largest <= rss * negligibleShare) this.#settle(rss, true, 'resident size')
    else if (!this.#proportionalReadable)
      this.#settle(rss, true, 'sum of resident sizes: shared pages count once per process')
    else this.#lookAtShared(members, rss)
    this.#leastSinceHighWater = Math.min(this.#leastSinceHighWater, this.memoryBytes)
    if (withHighWater) this.#lookAtHighWater(members)
  }

  /** A peak that the kernel kept for one process, with whatever else was certainly held beside it. */
  raisePeak(bytes: number, basis: string): void {
    if (!(bytes > this.peakBytes)) return
    this.peakBytes = Math.min(bytes, this.#plausible.mostMemoryBytes)
    this.peakBasis = basis
  }

  #lookAtShared(members: Members, rss: number): void {
    const estimate = rss * this.#sharedFactor
    const changed =
      rss > this.#rssAtReading * (1 + negligibleShare) ||
      members.liveProcesses !== this.#processesAtReading
    const mayBeHigh = estimate > this.peakBytes * (1 - negligibleShare)
    const settled =
      members.liveProcesses === this.#processesBefore ||
      this.#now() - this.#startedAt > startingSeconds
    this.#processesBefore = members.liveProcesses
    if (!(changed && mayBeHigh && settled && this.#allowed())) {
      this.#settle(estimate, false, '')
      return
    }
    const proportional = this.#readProportional(members)
    if (Number.isNaN(proportional)) {
      this.#proportionalReadable = false
      this.#settle(rss, true, 'sum of resident sizes: shared pages count once per process')
      return
    }
    this.#sharedFactor = rss > 0 ? Math.min(1, proportional / rss) : 1
    this.#rssAtReading = rss
    this.#processesAtReading = members.liveProcesses
    this.#settle(Math.min(proportional, rss), true, 'proportional sizes (PSS) at the high point')
  }

  /** NaN when none could be read; a process that vanished meanwhile just holds nothing any more. */
  #readProportional(members: Members): number {
    // By our CPU time: on a busy machine the clock runs while we wait for our turn, and the ration would be
    // gone without having been used.
    const begun = this.#ownCpu()
    let sum = NaN
    for (const member of members.byPid.values()) {
      if (member.zombie) continue
      const bytes = this.#reader.proportionalBytes(member)
      if (!Number.isNaN(bytes)) sum = (Number.isNaN(sum) ? 0 : sum) + bytes
    }
    this.#allowanceSeconds -= this.#ownCpu() - begun
    return sum
  }

  #allowed(): boolean {
    const now = this.#now()
    this.#allowanceSeconds = Math.min(
      proportionalStartSeconds,
      this.#allowanceSeconds + (now - this.#allowanceAt) * proportionalTimeShare,
    )
    this.#allowanceAt = now
    return this.#allowanceSeconds > 0
  }

  /** An estimate makes the series, never the peak. */
  #settle(bytes: number, certain: boolean, basis: string): void {
    // Shared pages counted once per process may seem more than there is.
    this.memoryBytes = Math.min(bytes, this.#plausible.mostMemoryBytes)
    if (certain) this.raisePeak(bytes, basis)
  }

  #lookAtHighWater(members: Members): void {
    let swap = 0
    for (const member of members.byPid.values()) {
      if (!member.zombie) this.#lookAtMember(member)
      swap += member.swapBytes
    }
    this.swapBytes = Math.min(swap, this.#plausible.mostSwapBytes)
    this.swapPeakBytes = Math.max(this.swapPeakBytes, this.swapBytes)
    this.#leastSinceHighWater = this.memoryBytes
  }

  #lookAtMember(member: Member): void {
    // No page fault since the last time: the mark cannot have moved.
    if (member.minorFaults + member.majorFaults === member.faultsAtHighWater) return
    const firstTime = member.faultsAtHighWater < 0
    const before = member.highWaterBytes
    this.#reader.lookAtHighWater(member, this.#plausible)
    const highWater = member.highWaterBytes
    if (highWater <= before) return
    this.largestProcessBytes = Math.max(this.largestProcessBytes, highWater)
    const resident = member.residentPages * this.#pageBytes
    if (highWater <= resident * (1 + negligibleShare)) return
    // It rose and fell while we looked on, so what the others held adds to it. A mark met for the first
    // time may be inherited from a fork, of pages that are counted elsewhere: then it stands alone.
    const others = firstTime ? 0 : Math.max(0, this.#leastSinceHighWater - resident)
    this.raisePeak(highWater + others, 'high-water mark of a process (VmHWM)')
  }
}
