import { MalformedRow } from './errors.ts'
import type { Row } from './sqlite/row.ts'

/**
 * Makes something of each row. One that cannot be read is passed over, and told: one that was poisoned or edited by hand must
 * not keep people from all the others.
 */
export class SoundRows<T> {
  readonly made: T[] = []
  readonly #make: (row: Row) => T
  readonly #faults: string[] = []

  constructor(make: (row: Row) => T) {
    this.#make = make
  }

  take(row: Row): void {
    try {
      this.made.push(this.#make(row))
    } catch (error) {
      if (!(error instanceof MalformedRow)) throw error
      this.#faults.push(`${String(row['task_id'] ?? 'one')}: ${error.message}`)
    }
  }

  /** Undefined where every row could be read. */
  problem(path: string): string | undefined {
    const [first] = this.#faults
    if (first === undefined) return undefined
    const count = this.#faults.length
    return `${path}: ${count === 1 ? 'a record is' : `${count} records are`} damaged and left out (${first})`
  }
}
