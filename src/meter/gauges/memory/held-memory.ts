import type { Member } from '../../member.ts'
import type { Members } from '../../members.ts'
import type { Plausible } from '../../plausible.ts'
import type { ProcessReader } from '../../process-reader.ts'
import { UnseenMemory } from './unseen-memory.ts'

/** Below this part of the whole, what processes could share cannot matter, and resident sizes are simply added. */
const negligibleShare = 0.02
/** What may have been copied since the last reading is worth a new one from this part of the peak on. */
const unsharedShare = 0.05
/** Share of the time that reading proportional sizes may take, and what may be spent at the start. */
const proportionalTimeShare = 0.01
const proportionalStartSeconds = 0.05
/** While a job starts its processes, each look finds more: no reading may take more than a part of what there is. */
const startingSeconds = 0.1
const startingPart = 1 / 2
/** A job that has so many times the processes of the last look is still starting them. */
const startingGrowth = 1.25
/** A reading that takes less is not worth waiting with. */
const dearSeconds = 0.002
/** What reading proportional sizes costs: for each process, and for each byte (27 ms for 4 GB). */
const processSeconds = 36e-6
const byteSeconds = 27e-3 / 2 ** 32

/** Not by what the last reading took: the first ones run code that is not compiled yet. */
const expectedSeconds = ({ liveProcesses }: Members, rss: number): number =>
  liveProcesses * processSeconds + rss * byteSeconds

const addedSizes = 'sum of resident sizes: shared pages count once per process'
export const highWaterBasis = 'high-water mark of a process (VmHWM)'

/**
 * How much memory a job holds, with pages shared inside it counted once, and the most it ever held.
 *
 * Summed resident sizes count a page once per process, three to five times too much for forking jobs.
 * Proportional sizes (PSS) do not, but cost 36 µs for a small process and 27 ms for one of 4 GB, and hold
 * the process's locks. So they are read only when the job seems to reach a new high.
 */
export class HeldMemory {
  memoryBytes = 0
  rssBytes = 0
  swapBytes = 0
  peakBytes = 0
  peakBasis = ''
  /** The peak is that of one process, whatever others held beside it. */
  peakIsOfOne = false
  /** The most that the high-water marks of processes which lived at one look came to. */
  highWaterSumBytes = 0
  /** At the last look it held more than at the one before. */
  isGrowing = false
  /** Page faults of the job until its high-water marks were last read: what came later is in none of them. */
  faultsAtMarks = 0
  /** The most that was held at a look and is not in the account of the cgroup, such as pages of shared libraries. */
  unchargedBytes = 0
  /** The most that it can have held at a look at which it was too dear to find out. */
  unreadBytes = 0
  rssPeakBytes = 0
  largestProcessBytes = 0
  swapPeakBytes = 0
  readonly unseen: UnseenMemory

  readonly #reader: ProcessReader
  readonly #plausible: Plausible
  readonly #pageBytes: number
  readonly #now: () => number
  readonly #ownCpu: () => number
  readonly #startedAt: number
  #proportionalReadable = true
  #proportionalBytes = 0
  #rssAtReading = 0
  #seenAtReading = -1
  #faultsAtReading = 0
  #heldAtReading = 0
  #sharedAtReading = 0
  #seenAtLook = 0
  #isStarting = false
  #liveAtReading = 0
  #allowanceSeconds = proportionalStartSeconds
  #allowanceAt: number
  #memoryAtHighWater = 0
  #seenAtHighWater = 0
  #liveAtHighWater = 0
  #faultsAtHighWater = 0

  constructor(
    reader: ProcessReader,
    plausible: Plausible,
    pageBytes: number,
    now: () => number,
    ownCpu: () => number,
    mostBytesPerFault: () => number,
  ) {
    this.unseen = new UnseenMemory(pageBytes, mostBytesPerFault)
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

  /**
   * `heldBytes`: what the job's cgroup says is held by processes just now; NaN where there is none to ask. `peakIsKept`: it
   * keeps the peak of all together.
   */
  look(members: Members, withHighWater: boolean, heldBytes: number, peakIsKept: boolean): void {
    const rss = members.residentPages * this.#pageBytes
    const largest = members.largestResidentPages * this.#pageBytes
    if (rss > 0) this.isGrowing = rss > this.rssBytes * (1 + negligibleShare)
    this.#isStarting = members.seen > this.#seenAtLook * startingGrowth
    this.#seenAtLook = members.seen
    this.rssBytes = rss
    this.rssPeakBytes = Math.max(this.rssPeakBytes, rss)
    this.largestProcessBytes = Math.max(this.largestProcessBytes, largest)
    if (rss - largest <= rss * negligibleShare) this.#settle(rss, 'resident size')
    else if (this.#proportionalReadable) this.#lookAtShared(members, rss, largest, heldBytes)
    else this.#settle(rss, addedSizes)
    if (heldBytes > 0)
      this.unchargedBytes = Math.max(this.unchargedBytes, this.memoryBytes - heldBytes)
    if (!peakIsKept) this.unseen.look(members, this.memoryBytes)
    if (withHighWater) this.#lookAtHighWater(members, !peakIsKept)
  }

  /** A peak that the kernel kept for one process. */
  raiseByOne(bytes: number, basis: string): void {
    this.largestProcessBytes = Math.max(this.largestProcessBytes, bytes)
    this.#raisePeak(bytes, basis, true)
  }

  #raisePeak(bytes: number, basis: string, isOfOne: boolean): void {
    if (!(bytes > this.peakBytes)) return
    this.peakBytes = Math.min(bytes, this.#plausible.mostMemoryBytes)
    this.peakBasis = basis
    this.peakIsOfOne = isOfOne
  }

  /**
   * The most that can have become a process's own since the last reading though resident sizes do not show it: who writes to
   * a page that it shares with its parent gets a copy, by a page fault.
   */
  unsharedBytes(members: Members, heldBytes: number): number {
    if (heldBytes > 0) return Math.max(0, heldBytes - this.#heldAtReading)
    const faults = Math.max(0, members.totals().minorFaults - this.#faultsAtReading)
    return Math.min(faults * this.#pageBytes, this.#sharedAtReading)
  }

  #lookAtShared(members: Members, rss: number, largest: number, heldBytes: number): void {
    const sameProcesses =
      members.seen === this.#seenAtReading && members.liveProcesses === this.#liveAtReading
    const shared =
      this.#rssAtReading === 0 ? rss : (rss * this.#proportionalBytes) / this.#rssAtReading
    // What came since is mostly a process's own: a shell shares nearly all with its copy until that becomes another program.
    const estimate = Math.max(shared, rss - (this.#rssAtReading - this.#proportionalBytes))
    // Of new processes it is not known what they share: they may hold all that they show, or none of it.
    const unshared = this.unsharedBytes(members, heldBytes)
    const most = sameProcesses ? Math.min(rss, estimate + unshared) : rss
    const changed =
      !sameProcesses ||
      rss > this.#rssAtReading * (1 + negligibleShare) ||
      unshared > this.peakBytes * unsharedShare
    if (!changed || most <= this.peakBytes * (1 - negligibleShare)) {
      this.#settle(Math.round(Math.min(estimate, this.peakBytes)), '')
    } else if (!this.#mayWait(members, rss, heldBytes) && this.#mayRead(members, rss)) {
      this.#settleRead(members, rss, heldBytes)
    } else if (heldBytes > 0) {
      this.#settle(Math.min(rss, Math.max(largest, heldBytes)), 'memory.stat of the cgroup')
    } else if (sameProcesses) {
      this.unreadBytes = Math.max(this.unreadBytes, most)
      this.#settle(shared, 'resident sizes, shared as at the last reading of proportional sizes')
    } else {
      this.unreadBytes = Math.max(this.unreadBytes, rss)
      const least = Math.min(rss, Math.max(largest, this.#proportionalBytes))
      this.#settle(least, 'proportional sizes (PSS), not read at every high point')
    }
  }

  #settleRead(members: Members, rss: number, heldBytes: number): void {
    this.#faultsAtReading = members.totals().minorFaults
    this.#heldAtReading = heldBytes
    const proportional = this.#readProportional(members)
    this.#proportionalReadable = !Number.isNaN(proportional)
    if (!this.#proportionalReadable) {
      this.#settle(rss, addedSizes)
      return
    }
    this.#proportionalBytes = Math.min(proportional, rss)
    this.#rssAtReading = rss
    this.#seenAtReading = members.seen
    this.#liveAtReading = members.liveProcesses
    this.#settle(this.#proportionalBytes, 'proportional sizes (PSS) at the high point')
  }

  /** NaN when none could be read; a process that vanished meanwhile just holds nothing any more. */
  #readProportional(members: Members): number {
    // By our CPU time: on a busy machine the clock runs while we wait for our turn, and the ration would be
    // gone without having been used.
    const begun = this.#ownCpu()
    let sum = NaN
    this.#sharedAtReading = 0
    for (const member of members.byPid.values()) {
      if (member.zombie) continue
      const read = this.#reader.proportional(member)
      if (read === undefined) continue
      sum = (Number.isNaN(sum) ? 0 : sum) + read.pssBytes
      this.#sharedAtReading += read.sharedAnonymousBytes
    }
    this.#allowanceSeconds -= this.#ownCpu() - begun
    return sum
  }

  /** While a job starts hundreds of processes, what its cgroup says serves until they are all there. */
  #mayWait(members: Members, rss: number, heldBytes: number): boolean {
    return heldBytes > 0 && this.#isStarting && expectedSeconds(members, rss) > dearSeconds
  }

  #mayRead(members: Members, rss: number): boolean {
    const now = this.#now()
    const expected = expectedSeconds(members, rss)
    this.#allowanceSeconds = Math.min(
      Math.max(proportionalStartSeconds, expected),
      this.#allowanceSeconds + (now - this.#allowanceAt) * proportionalTimeShare,
    )
    this.#allowanceAt = now
    const starting = now - this.#startedAt < startingSeconds
    return this.#allowanceSeconds * (starting ? startingPart : 1) >= expected
  }

  #settle(bytes: number, basis: string): void {
    // Shared pages counted once per process may seem more than there is.
    this.memoryBytes = Math.min(bytes, this.#plausible.mostMemoryBytes)
    this.#raisePeak(bytes, basis, false)
  }

  #lookAtHighWater(members: Members, addsOthers: boolean): void {
    let swap = 0
    let marks = 0
    let areMarksRead = true
    const faults = addsOthers ? members.totals().minorFaults : 0
    // What is held before by one that has gone, and after by one that has come, nobody need have held in between.
    const sameProcesses =
      members.seen === this.#seenAtHighWater && members.liveProcesses === this.#liveAtHighWater
    const newFaults = addsOthers && sameProcesses ? faults - this.#faultsAtHighWater : NaN
    for (const member of members.byPid.values()) {
      if (!member.zombie && !member.isUnborn && !this.#lookAtMember(member, newFaults))
        areMarksRead = false
      swap += member.swapBytes
      if (!member.zombie)
        marks += Math.max(member.highWaterBytes, member.residentPages * this.#pageBytes)
    }
    if (marks > 0 && areMarksRead) this.faultsAtMarks = members.totals().minorFaults
    this.highWaterSumBytes = Math.max(this.highWaterSumBytes, marks)
    this.swapBytes = Math.min(swap, this.#plausible.mostSwapBytes)
    this.swapPeakBytes = Math.max(this.swapPeakBytes, this.swapBytes)
    this.#memoryAtHighWater = this.memoryBytes
    this.#seenAtHighWater = members.seen
    this.#liveAtHighWater = members.liveProcesses
    this.#faultsAtHighWater = faults
  }

  /**
   * `newFaults`: those of the whole job since the last time; NaN where what others hold is not to be added. Answers false for
   * one that is ending: it has let go of its memory, and with it of its mark.
   */
  #lookAtMember(member: Member, newFaults: number): boolean {
    const resident = member.residentPages * this.#pageBytes
    const residentBefore = member.residentAtHighWater
    member.residentAtHighWater = resident
    // No page fault since the last time: the mark cannot have moved. But pages can have been swapped out.
    const hasNoFaults = member.minorFaults + member.majorFaults === member.faultsAtHighWater
    if (hasNoFaults && resident >= residentBefore) return true
    const firstTime = member.faultsAtHighWater < 0
    const ownFaults = member.minorFaults + member.majorFaults - member.faultsAtHighWater
    const before = member.highWaterBytes
    const residentNow = this.#reader.lookAtHighWater(member, this.#plausible)
    const highWater = member.highWaterBytes
    if (highWater <= before || (firstTime && member.hasOldMark)) return residentNow > 0
    this.largestProcessBytes = Math.max(this.largestProcessBytes, highWater)
    // One that has grown since its size was read did not rise and fall: the next look sees what it holds.
    if (highWater <= Math.max(resident, residentNow || 0) * (1 + negligibleShare)) return true
    // It rose and fell while we looked on, so what the others held before and after adds to it, but for what they can have
    // let go and taken again: that takes page faults. A mark met for the first time may be inherited from a fork, of pages
    // that are counted elsewhere: then it stands alone. And where a cgroup knows the peak of all together, nothing need
    // be added up.
    const others = Math.min(this.#memoryAtHighWater - residentBefore, this.memoryBytes - resident)
    const retaken = Math.max(0, newFaults - ownFaults) * this.#pageBytes
    const beside = firstTime || Number.isNaN(newFaults) ? 0 : Math.max(0, others - retaken)
    this.#raisePeak(highWater + beside, highWaterBasis, beside === 0)
    return true
  }
}
