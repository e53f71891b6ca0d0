import type { Member } from '../../member.ts'

/** A process as it was at the last look. */
interface Seen {
  readonly member: Member
  ticks: number
  faults: number
  threads: number
}

/** Which processes of a job did something between two looks: what is dear to read is read of those alone. */
export class ActiveMembers {
  readonly #seen = new Map<number, Seen>()

  /**
   * Those that used CPU time since the last call, the busiest first. One that loads a program has page faults even if it
   * uses less than a tick, and one of whose threads ends may have neither.
   */
  since(members: ReadonlyMap<number, Member>): readonly Member[] {
    const active: { readonly member: Member; readonly grown: number }[] = []
    for (const member of members.values()) {
      if (member.zombie) continue
      const { minorFaults: faults, threads } = member
      const ticks = member.userTicks + member.systemTicks
      const seen = this.#seen.get(member.pid)
      if (seen?.member !== member) {
        this.#seen.set(member.pid, { member, ticks, faults, threads })
        active.push({ member, grown: ticks })
      } else if (ticks !== seen.ticks || faults !== seen.faults || threads !== seen.threads) {
        active.push({ member, grown: ticks - seen.ticks })
        seen.ticks = ticks
        seen.faults = faults
        seen.threads = threads
      }
    }
    if (this.#seen.size > 2 * members.size) this.#forgetGone(members)
    return active.toSorted((a, b) => b.grown - a.grown).map(({ member }) => member)
  }

  #forgetGone(members: ReadonlyMap<number, Member>): void {
    for (const pid of this.#seen.keys()) if (!members.has(pid)) this.#seen.delete(pid)
  }
}
