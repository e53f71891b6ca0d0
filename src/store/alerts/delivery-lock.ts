import type { TryLock } from '../../model/file-lock.ts'
import { holdLock, type HeldLock } from '../held-lock.ts'

/**
 * One process delivers to a channel at a time: a thousand jobs that end while a server is down must not leave a thousand
 * behind. Each channel has its own, as who can reach one may lack the secret of another. Where there are no locks, what
 * is claimed in the queue keeps processes apart.
 */
export class DeliveryLocks {
  readonly #database: string
  readonly #tryLock: TryLock
  readonly #held = new Map<string, HeldLock>()

  constructor(database: string, tryLock: TryLock) {
    this.#database = database
    this.#tryLock = tryLock
  }

  /** Whether the channel that is called so, in a way that a file can be, is ours until `release`. */
  hold(name: string): boolean {
    if (this.#held.has(name)) return true
    const lock = holdLock(`${this.#database}.${name}.lock`, this.#tryLock)
    if (lock === undefined) return false
    this.#held.set(name, lock)
    return true
  }

  release(): void {
    for (const lock of this.#held.values()) lock.release()
    this.#held.clear()
  }
}
