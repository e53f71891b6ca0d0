import type { System } from '../system/system.ts'

/** Work as dear as this may take its turn at every look. */
const cheapSeconds = 0.001
/** Share of the time that dearer work may take: a little of it, until that means waiting a second; then more. */
const share = 0.02
const mostShare = 0.1
const longestWaitSeconds = 1

/**
 * Holds dear work back, by the CPU time that it took: on a busy machine the clock would count the time that we waited
 * for our turn. The wait is short all the same: who is not looked for is not seen.
 */
export class Ration {
  /** The longest that it had to wait. */
  waitedSeconds = 0
  readonly #system: System
  #notBefore = 0
  #dueSince = NaN

  constructor(system: System) {
    this.#system = system
  }

  /** Does the work if its time has come; false if it has to wait. */
  spend(work: () => void): boolean {
    const { clock, processes } = this.#system
    const now = clock.monotonicSeconds()
    if (now < this.#notBefore) {
      if (Number.isNaN(this.#dueSince)) this.#dueSince = now
      return false
    }
    if (now - this.#dueSince > this.waitedSeconds) this.waitedSeconds = now - this.#dueSince
    this.#dueSince = NaN
    const begun = processes.ownCpuSeconds()
    work()
    const cost = processes.ownCpuSeconds() - begun
    const wait = Math.max(Math.min(cost / share, longestWaitSeconds), cost / mostShare)
    this.#notBefore = cost < cheapSeconds ? 0 : clock.monotonicSeconds() + wait
    return true
  }

  /** Has the next time wait no longer. */
  hurry(): void {
    this.#notBefore = 0
  }
}
