import type { Member } from '../../member.ts'

/** Which processes of a job did something between two looks: what is dear to read is read of those alone. */
export class ActiveMembers {
  /** CPU time at the last look, by pid. */
  #before = new Map<number, number>()

  /** Those that used CPU time since the last call, the busiest first. */
  since(members: ReadonlyMap<number, Member>): readonly Member[] {
    const now = new Map<number, number>()
    const active: { readonly member: Member; readonly grown: number }[] = []
    for (const member of members.values()) {
      const ticks = member.userTicks + member.systemTicks
      const before = this.#before.get(member.pid)
      now.set(member.pid, ticks)
      // A new one may have done much in less than a tick.
      if (member.zombie || ticks === before) continue
      active.push({ member, grown: ticks - (before ?? 0) })
    }
    this.#before = now
    return active.toSorted((a, b) => b.grown - a.grown).map(({ member }) => member)
  }
}
