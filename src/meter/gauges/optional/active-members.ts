import type { Member } from '../../member.ts'

/** Which processes of a job did something between two looks: what is dear to read is read of those alone. */
export class ActiveMembers {
  /** CPU time and page faults at the last look. */
  readonly #before = new WeakMap<Member, { ticks: number; faults: number }>()

  /**
   * Those that used CPU time since the last call, the busiest first. One that loads a program has page faults even if it
   * uses less than a tick.
   */
  since(members: ReadonlyMap<number, Member>): readonly Member[] {
    const active: { readonly member: Member; readonly grown: number }[] = []
    for (const member of members.values()) {
      if (member.zombie) continue
      const ticks = member.userTicks + member.systemTicks
      const before = this.#before.get(member)
      if (before === undefined) {
        this.#before.set(member, { ticks, faults: member.minorFaults })
        active.push({ member, grown: ticks })
      } else if (ticks !== before.ticks || member.minorFaults !== before.faults) {
        active.push({ member, grown: ticks - before.ticks })
        before.ticks = ticks
        before.faults = member.minorFaults
      }
    }
    return active.length < 2
      ? active.map(({ member }) => member)
      : active.toSorted((a, b) => b.grown - a.grown).map(({ member }) => member)
  }
}
