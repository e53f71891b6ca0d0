import type { System } from '../system/system.ts'

/** Work that costs less than this is never held back. */
const cheapSeconds = 0.001
/** Share of the time that dearer work may take: a little of it, until that would mean leaving out a look; then more. */
const share = 0.02
const mostShare = 0.1
/** Looks come once a second: after so long the next one finds the work due again. */
const longestWaitSeconds = 0.9

/**
 * Holds dear work back, by the CPU time that our thread spent on it: on a busy machine the clock would count the time that we
 * waited for our turn, and other threads have work of their own. The wait is short all the same: who is not looked for is
 * not seen.
 */
export class Ration {
  readonly #system: System
  #notBefore = 0

  constructor(system: System) {
    this.#system = system
  }

  /** Does the work if its time has come; false if it has to wait. */
  spend(work: () => void): boolean {
    const { clock, processes } = this.#system
    if (clock.monotonicSeconds() < this.#notBefore) return false
    const begun = processes.ownThreadCpuSeconds()
    work()
    const cost = processes.ownThreadCpuSeconds() - begun
    const wait = Math.max(Math.min(cost / share, longestWaitSeconds), cost / mostShare)
    this.#notBefore = cost < cheapSeconds ? 0 : clock.monotonicSeconds() + wait
    return true
  }

  /** Has the next time wait no longer. */
  hurry(): void {
    this.#notBefore = 0
  }
}
