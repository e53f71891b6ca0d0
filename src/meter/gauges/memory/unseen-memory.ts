import type { Members } from '../../members.ts'

/**
 * The most that a job can have held between two looks beside what they found.
 *
 * The high-water marks of those that live tell of their own spikes. Of those that ended in between, and of those that came
 * and went unseen, only their page faults are told, by who waited for them: each fault brings a page at most.
 */
export class UnseenMemory {
  /** The most that all may have held at once, shared pages counted once. */
  mostBytes = 0
  /** The most that resident sizes may have come to. */
  mostRssBytes = 0

  readonly #pageBytes: number
  readonly #mostBytesPerFault: () => number
  #memoryBefore = 0
  #pagesBefore = 0
  /** Faults that looks found in living processes. */
  #livingFaults = 0
  /** All others: of processes that ended, after the last look at each. */
  #endedFaults = 0

  constructor(pageBytes: number, mostBytesPerFault: () => number) {
    this.#pageBytes = pageBytes
    this.#mostBytesPerFault = mostBytesPerFault
  }

  look(members: Members, memoryBytes: number): void {
    let keptPages = 0
    let stayedPages = 0
    for (const member of members.byPid.values()) {
      if (member.zombie) continue
      const ownFaults = member.minorFaults - member.reapedFaults
      this.#livingFaults += ownFaults - member.ownFaultsNoted
      keptPages += Math.min(member.residentPages, member.residentPagesNoted)
      stayedPages += member.residentPagesNoted
      member.ownFaultsNoted = ownFaults
      member.residentPagesNoted = member.residentPages
    }
    const { residentPages, largestResidentPages } = members
    const came = (residentPages - keptPages) * this.#pageBytes
    const left = (this.#pagesBefore - keptPages) * this.#pageBytes
    const unseen = this.#unseenBytes(members)
    // What left may have been held together with what came. Where there is only one of both, a look has it all.
    const known = Math.min(this.#memoryBefore + came, memoryBytes + left)
    this.mostBytes = Math.max(this.mostBytes, known + unseen)
    // Nobody who was seen has left, and yet somebody has ended: as a fork it had all pages of its parent.
    const isFork = unseen > 0 && stayedPages === this.#pagesBefore
    const forked = isFork ? largestResidentPages * this.#pageBytes : 0
    const knownRss = this.#pagesBefore * this.#pageBytes + came
    this.mostRssBytes = Math.max(this.mostRssBytes, knownRss + forked + unseen)
    this.#memoryBefore = memoryBytes
    this.#pagesBefore = residentPages
  }

  /** What those that have ended since the last look can have held that no look saw. */
  #unseenBytes(members: Members): number {
    const ended = members.totals().minorFaults - this.#livingFaults
    const faults = ended - this.#endedFaults
    // Less than before while the faults of one that is gone are not yet in those of its parent.
    if (!(faults > 0)) return 0
    this.#endedFaults = ended
    return faults * this.#mostBytesPerFault()
  }
}
