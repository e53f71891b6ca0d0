import type { Clock } from '../../system/system.ts'

/** How often a daemon is asked that tells of no events any more, and how often in vain before it is given up. */
const askAgainSeconds = 1
const mostUnanswered = 6

/** Asks now and then whether a container is over, until it is or nobody can tell. */
export class EndInquiry {
  readonly #clock: Clock
  /** undefined where the daemon does not answer. */
  readonly #isOver: () => Promise<boolean | undefined>
  readonly #onDone: () => void
  #hasBegun = false
  #isStopped = false
  #cancel: () => void = () => {}

  constructor(clock: Clock, isOver: () => Promise<boolean | undefined>, onDone: () => void) {
    this.#clock = clock
    this.#isOver = isOver
    this.#onDone = onDone
  }

  begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    this.#askLater(0)
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel()
  }

  #askLater(unanswered: number): void {
    this.#cancel = this.#clock.after(askAgainSeconds, () => void this.#ask(unanswered))
  }

  async #ask(unansweredBefore: number): Promise<void> {
    const isOver = await this.#isOver()
    if (this.#isStopped) return
    const unanswered = isOver === undefined ? unansweredBefore + 1 : 0
    if (isOver === true || unanswered === mostUnanswered) this.#onDone()
    else this.#askLater(unanswered)
  }
}
