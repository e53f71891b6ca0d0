import type { Owner } from '../../model/machine.ts'
import { parseLastSeen, type LastSeen } from './last-seen.ts'
import { notesOf } from './life-sign.ts'

/** What owners that are dead have noted of their attempts. The file of each is read once, and only if it is asked for. */
export class SeenByOwners {
  readonly #ledger: string
  readonly #owners = new Map<string, ReadonlyMap<string, LastSeen>>()

  constructor(ledger: string) {
    this.#ledger = ledger
  }

  of(taskId: string, { sign }: Owner): LastSeen | undefined {
    return sign === undefined ? undefined : this.#notedBy(sign.name).get(taskId)
  }

  #notedBy(name: string): ReadonlyMap<string, LastSeen> {
    const known = this.#owners.get(name)
    if (known !== undefined) return known
    const noted = new Map(
      notesOf(this.#ledger, name).flatMap((note) => {
        const seen = parseLastSeen(note)
        return seen === undefined ? [] : [seen]
      }),
    )
    this.#owners.set(name, noted)
    return noted
  }
}
