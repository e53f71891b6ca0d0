import { isOpen } from '../../model/outcome.ts'
import { Owners } from '../../record/owners.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import type { System } from '../../system/system.ts'

/** Whether a runner lives costs more to find out than what it wrote. */
const lifeSeconds = 2

/** Tells whether an attempt goes on: its end is not known, and its owner is not known to be dead. */
export class AttemptLife {
  readonly #system: System
  readonly #reader: LedgerReader
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(system: System, reader: LedgerReader) {
    this.#system = system
    this.#reader = reader
  }

  async goesOn(taskId: string): Promise<boolean> {
    const [record] = await this.#reader.jobs.findByPrefix(taskId)
    if (record === undefined || !isOpen(record.status)) return false
    if (!this.isTimeToLook()) return true
    return !new Owners(this.#system, this.#reader.path).isDead(record.owner, record.startedAt)
  }

  /** Whether it is time to find out whether a runner lives. */
  isTimeToLook(): boolean {
    const now = this.#system.clock.monotonicSeconds()
    if (now - this.#lookedAt < lifeSeconds) return false
    this.#lookedAt = now
    return true
  }
}
