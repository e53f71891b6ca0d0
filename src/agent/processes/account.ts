import {
  estimatedUse,
  knownUse,
  noUse,
  orNothing,
  quantities,
  type EndedProcess,
  type FreshUse,
  type Quantity,
} from './ended-process.ts'
import type { SeenProcess } from './seen-process.ts'

/** What was counted in advance: it comes with somebody's counters in the next round, and must not count twice. */
export interface Credit {
  readonly owed: FreshUse
  /** How much of that may come with the counters of an adopter. */
  readonly movable: FreshUse
}

/** Those that ended below one process that lives, and what its counters gained by them. */
export class Account {
  /** The next living process above them; null if there is none on this node. */
  readonly heir: SeenProcess | null
  /** Whether the heir's counters have them; they do not where the kernel was told that nobody would wait. */
  readonly isWaited: boolean
  readonly members: EndedProcess[] = []
  /** What each member's record says, in their order, and the time of all together. */
  readonly estimates: FreshUse[] = []
  estimatedSeconds = 0
  /** Members whose parent ended too, perhaps before it waited for them: then somebody further above adopted them. */
  readonly orphans: EndedProcess[] = []
  readonly gained = noUse()
  /** What the counters should have gained, by all that is known, and how much of that may be elsewhere. */
  readonly expected = noUse()
  readonly movable = noUse()
  readonly credited = { owed: noUse(), movable: noUse() }

  constructor(heir: SeenProcess | null, isWaited: boolean) {
    this.heir = heir
    this.isWaited = isWaited
    if (heir === null || !isWaited) return
    const { before, now } = heir
    this.gained.cpuSeconds = now.childSeconds - before.childSeconds
    this.gained.readBytes = orNothing(now.readBytes - before.readBytes)
    this.gained.writeBytes = orNothing(now.writeBytes - before.writeBytes)
  }

  add(one: EndedProcess, isOrphan: boolean, credit: Credit | undefined): void {
    this.members.push(one)
    if (isOrphan) this.orphans.push(one)
    const known = knownUse(one)
    const estimated = estimatedUse(one)
    this.estimates.push(estimated)
    this.estimatedSeconds += estimated.cpuSeconds
    for (const quantity of quantities) {
      const whole = known[quantity] + estimated[quantity]
      this.expected[quantity] += whole
      if (isOrphan) this.movable[quantity] += whole
    }
    if (credit !== undefined) this.addCredit(credit)
  }

  addCredit({ owed, movable }: Credit): void {
    for (const quantity of quantities) {
      this.expected[quantity] += owed[quantity]
      this.movable[quantity] += movable[quantity]
      this.credited.owed[quantity] += owed[quantity]
      this.credited.movable[quantity] += movable[quantity]
    }
  }

  /** What its counters should have and somebody else's may have. */
  missing(quantity: Quantity): number {
    const movable = this.movable[quantity]
    if (!this.isWaited) return Math.max(0, movable)
    return Math.max(0, Math.min(movable, this.expected[quantity] - this.gained[quantity]))
  }

  /** What its counters have and its members do not explain. */
  unexplained(quantity: Quantity): number {
    return this.isWaited ? Math.max(0, this.gained[quantity] - this.expected[quantity]) : 0
  }
}

const mostGenerations = 100

/** The accounts of a round. */
export class Accounts {
  readonly all: Account[] = []
  readonly #living: ReadonlyMap<number, SeenProcess>
  readonly #credit: ReadonlyMap<SeenProcess, Credit>
  readonly #waited = new Map<SeenProcess, Account>()
  readonly #unwaited = new Map<SeenProcess | null, Account>()

  constructor(
    living: ReadonlyMap<number, SeenProcess>,
    ended: readonly EndedProcess[],
    credit: ReadonlyMap<SeenProcess, Credit>,
  ) {
    this.#living = living
    this.#credit = credit
    const byPid = new Map(ended.map((one) => [one.pid, one]))
    for (const one of ended) this.#put(one, byPid)
    for (const process of living.values())
      if (process.now.childSeconds !== process.before.childSeconds) this.of(process)
    for (const process of credit.keys()) if (living.get(process.pid) === process) this.of(process)
  }

  /** The account of what a process has waited for. */
  of(process: SeenProcess): Account {
    const known = this.#waited.get(process)
    if (known !== undefined) return known
    const made = new Account(process, true)
    const credit = this.#credit.get(process)
    if (credit !== undefined) made.addCredit(credit)
    this.#waited.set(process, made)
    this.all.push(made)
    return made
  }

  /** The processes that may have adopted what an account lacks: all above it, or the first of the node if it has no owner. */
  *above({ heir, isWaited }: Account): Generator<SeenProcess> {
    if (heir !== null && !isWaited) yield heir
    let pid = heir?.parentPid ?? 1
    for (let steps = 0; steps < mostGenerations; steps++) {
      const process = this.#living.get(pid)
      if (process === undefined) return
      yield process
      pid = process.parentPid
    }
  }

  #put(one: EndedProcess, byPid: ReadonlyMap<number, EndedProcess>): void {
    let parentPid = one.parentPid
    let isOrphan = false
    let isWaited = true
    for (let steps = 0; steps < mostGenerations && !this.#living.has(parentPid); steps++) {
      const parent = byPid.get(parentPid)
      // A parent of number 0 is outside of what this system shows, and waits there.
      if (steps === 0) isOrphan = parentPid !== 0
      // One that was seen dead had not been let go of.
      const stayed = steps === 0 && one.seen?.isZombie === true
      if (parent?.seen?.ignoresChildren === true && !stayed) {
        isWaited = false
        // The record named it as the parent: it lived until then, and the kernel let go of the child at once.
        if (steps === 0 && one.record !== null) isOrphan = false
      }
      parentPid = parent?.parentPid ?? 0
      if (parentPid === 0) break
    }
    const heir = this.#living.get(parentPid) ?? null
    if (heir === null) isWaited = false
    else if (heir.pid === one.parentPid) {
      isOrphan = heir.isZombie
      // A process that has waited for a child does not ignore them, whatever it said when it was last asked.
      const gained = heir.now.childSeconds - heir.before.childSeconds
      if (heir.ignoresChildren && gained === 0 && one.seen?.isZombie !== true) isWaited = false
    }
    const account = heir !== null && isWaited ? this.of(heir) : this.#ofNobody(heir)
    account.add(one, isOrphan, one.seen === null ? undefined : this.#credit.get(one.seen))
  }

  #ofNobody(heir: SeenProcess | null): Account {
    const known = this.#unwaited.get(heir)
    if (known !== undefined) return known
    const made = new Account(heir, false)
    this.#unwaited.set(heir, made)
    this.all.push(made)
    return made
  }
}
