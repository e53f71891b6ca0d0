import type { Member } from './member.ts'

/** `inherited`: a parent that waited has its counters. `lost`: nobody has. `open`: the next look will show. */
export type Fate = 'inherited' | 'lost' | 'open'

const nobody: ReadonlySet<Member> = new Set()

/**
 * Where did the gone ones' counters go? A parent that waited shows their page faults (every process has
 * some) in its own account. If it does not, as when it ignores SIGCHLD or died first, their last known
 * counters are all there will ever be.
 */
export class Heirs {
  readonly #living: ReadonlyMap<number, Member>
  /** Gone since their heir was looked at: whether it has waited for them is seen at the next look. */
  #open = new Map<Member, Member>()

  constructor(living: ReadonlyMap<number, Member>) {
    this.#living = living
  }

  /** Whether the next look has something to show. */
  get areAwaited(): boolean {
    return this.#open.size > 0
  }

  /** Those who may have waited since they were last looked at. */
  asked(): ReadonlySet<Member> {
    return this.#open.size === 0 ? nobody : new Set(this.#open.values())
  }

  /** To be called when the living have been looked at, and those that are gone are no longer among them. */
  settle(gone: readonly Member[], tell: (member: Member, fate: Fate) => void): void {
    const waiting = this.#open
    this.#open = new Map()
    for (const member of [...waiting.keys(), ...gone.toSorted(byClaim)])
      tell(member, this.#fateOf(member, waiting.get(member), gone))
  }

  #fateOf(member: Member, asked: Member | undefined, gone: readonly Member[]): Fate {
    const heir =
      asked !== undefined && this.#living.has(asked.pid)
        ? asked
        : this.#livingAncestor(asked ?? member, gone)
    const room = heir === undefined ? 0 : heir.reapedFaults - heir.reapedFaultsExplained
    if (heir !== undefined && room >= member.minorFaults) {
      heir.reapedFaultsExplained += member.minorFaults
      return 'inherited'
    }
    if (heir === undefined || heir === asked || heir.ignoresChildren) return 'lost'
    this.#open.set(member, heir)
    return 'open'
  }

  /**
   * Who has its counters now, if everyone on the way waited; undefined where one that is gone let its children go. One that
   * lives may have begun to ignore them only after it had waited: its faults tell.
   */
  #livingAncestor(member: Member, gone: readonly Member[]): Member | undefined {
    let pid = member.parentPid
    for (let depth = 0; depth < 64; depth++) {
      const living = this.#living.get(pid)
      if (living !== undefined) return living
      const parent = gone.find((candidate) => candidate.pid === pid)
      if (parent === undefined || parent.ignoresChildren) return undefined
      pid = parent.parentPid
    }
    return undefined
  }
}

/**
 * One that was seen dead has been waited for since, whatever became of the others. Where the faults of a parent fit any of
 * several, the one that used most is taken to be in them, so that a figure that is short is never also too high.
 */
function byClaim(one: Member, other: Member): number {
  if (one.zombie !== other.zombie) return one.zombie ? -1 : 1
  return other.userTicks + other.systemTicks - one.userTicks - one.systemTicks
}
