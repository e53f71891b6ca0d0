import type { KernelAccount } from '../system/system.ts'
import { Counters } from './counters.ts'
import type { Member } from './member.ts'

/**
 * The counters of a job: of its living processes, and of the dead ones that nobody living has in his own. They never go
 * back.
 */
export class JobTotals {
  readonly #ticksPerSecond: number
  readonly #retired = new Counters()
  readonly #sum = new Counters()
  readonly #known = new Counters()
  readonly #before = new Counters()
  readonly #since = new Counters()
  /** The answer stands: no counter has changed since. */
  #isSummed = false

  constructor(ticksPerSecond: number) {
    this.#ticksPerSecond = ticksPerSecond
  }

  /** To be called when a counter of a living process may have changed. */
  changed(): void {
    this.#isSummed = false
  }

  /** The counters so far. The answer is reused by the next call. */
  of(living: ReadonlyMap<number, Member>): Counters {
    if (this.#isSummed) return this.#since
    this.#isSummed = true
    const sum = this.#sum
    sum.setTo(this.#retired)
    for (const member of living.values()) sum.add(member)
    this.#known.raiseTo(sum)
    this.#since.setTo(this.#known)
    this.#since.subtract(this.#before)
    return this.#since
  }

  /** Leaves out all that happened before. */
  countFromHere(living: ReadonlyMap<number, Member>): void {
    this.of(living)
    this.#before.setTo(this.#known)
    this.#isSummed = false
  }

  /** One that is gone, whose counters nobody else has. */
  keep(member: Member): void {
    this.#retired.add(member)
  }

  /** One that is gone, whose parent has all of its counters but this. */
  keepDelay(member: Member): void {
    this.#retired.ioDelayTicks += member.ioDelayTicks
  }

  /** The kernel's account of one that was reaped replaces what looks had found of it, to the microsecond. */
  keepAccount(account: KernelAccount, member: Member | undefined): void {
    this.#isSummed = false
    this.#retired.userTicks += account.userSeconds * this.#ticksPerSecond
    this.#retired.systemTicks += account.systemSeconds * this.#ticksPerSecond
    this.#retired.minorFaults += account.minorFaults
    this.#retired.majorFaults += account.majorFaults
    if (member === undefined) return
    // Ticks round up here and there; the exact account must not be hidden by a coarser look before it.
    const tooMuch = (ticks: number, seconds: number) =>
      Math.max(0, ticks - seconds * this.#ticksPerSecond)
    this.#known.userTicks -= tooMuch(member.userTicks, account.userSeconds)
    this.#known.systemTicks -= tooMuch(member.systemTicks, account.systemSeconds)
    member.userTicks = 0
    member.systemTicks = 0
    member.minorFaults = 0
    member.majorFaults = 0
  }
}
