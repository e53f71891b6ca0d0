import { Owners } from '../../record/owners.ts'
import type { System } from '../../system/system.ts'
import type { FollowedAttempt } from './followed-attempt.ts'

/** Whether a process lives costs more to find out than what it wrote. */
const checkSeconds = 1

/**
 * Finds attempts whose owner died. They are named only at the second look at which their end is not known: what an owner
 * wrote just before it died has been read by then.
 */
export class DeadOwners {
  readonly #owners: Owners
  #checkedAt = Number.NEGATIVE_INFINITY
  #suspects: ReadonlySet<FollowedAttempt> = new Set()

  constructor(system: System, ledger: string) {
    this.#owners = new Owners(system, ledger)
  }

  /** `running`: attempts whose end is not known, after all that is written was read. */
  among(running: readonly FollowedAttempt[], monotonicSeconds: number): FollowedAttempt[] {
    const dead = running.filter((attempt) => this.#suspects.has(attempt))
    this.#suspects = new Set()
    if (monotonicSeconds - this.#checkedAt >= checkSeconds) {
      this.#checkedAt = monotonicSeconds
      this.#suspects = new Set(this.#suspected(running).filter((one) => !dead.includes(one)))
    }
    return dead
  }

  /** The runner of a workflow owns all of its attempts. */
  #suspected(running: readonly FollowedAttempt[]): FollowedAttempt[] {
    const byOwner = Map.groupBy(
      running,
      ({ owner }) => `${owner.host} ${owner.pid} ${owner.sign?.name}`,
    )
    return [...byOwner.values()].flatMap((attempts) => {
      const [first] = attempts
      if (first === undefined) return []
      const heardAt = Math.max(...attempts.map((attempt) => attempt.heardAt))
      return this.#owners.isDead(first.owner, heardAt) ? attempts : []
    })
  }
}
