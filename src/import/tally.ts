import type { ImportSummary, Refusals } from '../model/import-summary.ts'

/** What became of a record: it told something new, nothing new, or nothing that is kept. */
export type Outcome = 'added' | 'known' | 'unused'
type Place = Refusals['places'][number]

const mostPlaces = 5
const mostFaults = 50
const others = 'other faults'

/** Counts records: all that are read are accepted (added, known or unused) or refused. */
export class ImportTally {
  files = 0
  refused = 0
  readonly problems: string[] = []
  readonly #outcomes: Record<Outcome, number> = { added: 0, known: 0, unused: 0 }
  readonly #refusals = new Map<string, { fault: string; count: number; places: Place[] }>()

  get records(): number {
    const { added, known, unused } = this.#outcomes
    return added + known + unused + this.refused
  }

  accept(outcome: Outcome, records = 1): void {
    this.#outcomes[outcome] += records
  }

  refuse(fault: string, place: Place, records = 1): void {
    this.refused += records
    const name = this.#refusals.size < mostFaults || this.#refusals.has(fault) ? fault : others
    const known = this.#refusals.get(name) ?? { fault: name, count: 0, places: [] }
    known.count += records
    if (known.places.length < mostPlaces) known.places.push(place)
    this.#refusals.set(name, known)
  }

  summary(database: string, isStopped: boolean): ImportSummary {
    const { files, records, refused, problems } = this
    const refusals = [...this.#refusals.values()]
    return { database, files, records, ...this.#outcomes, refused, refusals, problems, isStopped }
  }
}
