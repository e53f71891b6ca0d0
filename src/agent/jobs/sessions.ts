import type { SeenProcess } from '../processes/seen-process.ts'

interface Group {
  readonly id: string
  seenIn: number
}

/**
 * Names for process groups. The number of a group is free again when its last process has ended: the start of its oldest
 * process, when it was first seen, tells one from the next.
 */
export class Sessions {
  readonly #groups = new Map<number, Group>()
  #round = 0

  /** The processes of a new round. */
  begin(processes: Iterable<SeenProcess>): void {
    this.#round += 1
    const oldest = new Map<number, number>()
    for (const { groupId, startTicks } of processes) {
      const known = oldest.get(groupId)
      if (known === undefined || startTicks < known) oldest.set(groupId, startTicks)
    }
    for (const [groupId, startTicks] of oldest) {
      const group = this.#groups.get(groupId)
      if (group !== undefined) group.seenIn = this.#round
      else this.#groups.set(groupId, { id: `${groupId}-${startTicks}`, seenIn: this.#round })
    }
    for (const [groupId, group] of this.#groups)
      // One that ended since is asked for once more.
      if (group.seenIn < this.#round - 1) this.#groups.delete(groupId)
  }

  idOf({ groupId, startTicks }: SeenProcess): string {
    return this.#groups.get(groupId)?.id ?? `${groupId}-${startTicks}`
  }
}
