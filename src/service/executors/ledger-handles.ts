import type { Ledger } from '../../store/ledger/ledger.ts'
import type { LifeSign } from '../../store/spool/life-sign.ts'
import type { Clock } from '../../system/system.ts'
import { LedgerQueue } from '../../workflow/run/ledger-queue.ts'

/**
 * Keeps in the ledger how attempts that run elsewhere are found again: they may run on for days after their runner has died.
 * What comes in one turn of the event loop is one transaction.
 */
export class LedgerHandles implements Pick<LifeSign, 'note' | 'forget'> {
  readonly #ledger: Ledger
  readonly #writes: LedgerQueue
  readonly #kept = new Map<string, string>()
  #unkept = new Map<string, string>()

  constructor(ledger: Ledger, clock: Clock, onTrouble: (message: string) => void) {
    this.#ledger = ledger
    this.#writes = new LedgerQueue(clock, {
      onLong: () => {},
      onDone: () => {},
      onFailure: (error) =>
        onTrouble(
          `where attempts run could not be kept, so they cannot be found again if this runner dies: ${String(error)}`,
        ),
    })
  }

  note(taskId: string, handle: string): void {
    if (this.#kept.get(taskId) === handle) return
    this.#kept.set(taskId, handle)
    this.#unkept.set(taskId, handle)
    if (this.#unkept.size === 1) queueMicrotask(() => this.#keep())
  }

  /** What is over stays in the ledger, for whoever compares it with what a batch system says; here it is not needed. */
  forget(taskId: string): void {
    this.#kept.delete(taskId)
  }

  #keep(): void {
    const handles = this.#unkept
    this.#unkept = new Map()
    this.#writes.add(() =>
      this.#ledger.batch(() => {
        for (const [taskId, handle] of handles) this.#ledger.workflows.keepHandle(taskId, handle)
      }),
    )
  }
}
