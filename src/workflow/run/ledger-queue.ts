import { StoreError } from '../../store/errors.ts'
import type { Clock } from '../../system/system.ts'

const retrySeconds = 0.1
/** Locks are held for milliseconds: after this somebody should know what is waited for. */
const noticeSeconds = 3
/** Longer than anyone copies, checks or repairs a ledger. */
const patienceSeconds = 600

interface QueueEvents {
  onLong(): void
  /** A write is done, or has failed for good. */
  onDone(): void
  onFailure(error: unknown): void
}

interface Write {
  readonly write: () => void
  readonly abandon: () => void
}

/**
 * What a run writes to the ledger, in order. While another has that locked the writes wait and the event loop goes on:
 * jobs are measured, held to their limits and seen to end on time.
 *
 * A write must take the lock before it does anything else, for it is called again.
 */
export class LedgerQueue {
  readonly #clock: Clock
  readonly #events: QueueEvents
  readonly #writes: Write[] = []
  #lockedSince: number | null = null
  #wasTold = false
  #givesUpAt = Infinity

  constructor(clock: Clock, events: QueueEvents) {
    this.#clock = clock
    this.#events = events
  }

  get isEmpty(): boolean {
    return this.#writes.length === 0
  }

  /** `abandon` is called where it fails for good. */
  add(write: () => void, abandon: () => void = () => {}): void {
    this.#writes.push({ write, abandon })
    if (this.#writes.length === 1) this.#work()
  }

  /** For who was asked to stop. */
  waitNoLongerThan(seconds: number): void {
    this.#givesUpAt = this.#clock.monotonicSeconds() + seconds
  }

  #work(): void {
    for (let next = this.#writes[0]; next !== undefined; next = this.#writes[0]) {
      try {
        next.write()
        this.#lockedSince = null
      } catch (error) {
        if (isLocked(error) && this.#mayWait()) {
          this.#clock.after(retrySeconds, () => this.#work())
          return
        }
        next.abandon()
        this.#events.onFailure(error)
      }
      this.#writes.shift()
      this.#events.onDone()
    }
  }

  #mayWait(): boolean {
    const now = this.#clock.monotonicSeconds()
    this.#lockedSince ??= now
    const waited = now - this.#lockedSince
    if (waited >= noticeSeconds && !this.#wasTold) {
      this.#wasTold = true
      this.#events.onLong()
    }
    return waited < patienceSeconds && now < this.#givesUpAt
  }
}

const isLocked = (error: unknown): boolean => error instanceof StoreError && error.code === 'locked'
