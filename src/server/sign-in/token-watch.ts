import type { Clock } from '../../system/system.ts'

/** Whoever revokes a token expects that it shows nothing any more. */
const lookSeconds = 2

interface Watched {
  readonly end: AbortController
  /** In seconds of the clock: nothing that it has opened goes on for longer. */
  until: number
}

/** Ends what tokens have opened, soon after they were revoked. One look serves all that a token has opened. */
export class TokenWatch {
  readonly #clock: Pick<Clock, 'after' | 'monotonicSeconds'>
  readonly #isGood: (token: string) => boolean
  readonly #watched = new Map<string, Watched>()
  #isLooking = false

  /** `isGood` is asked often: it must not count as a use of the token. */
  constructor(
    clock: Pick<Clock, 'after' | 'monotonicSeconds'>,
    isGood: (token: string) => boolean,
  ) {
    this.#clock = clock
    this.#isGood = isGood
  }

  /** Aborted when the token is no longer good, if that is within so many seconds. */
  whileGood(token: string, forSeconds: number): AbortSignal {
    const until = this.#clock.monotonicSeconds() + forSeconds
    const watched = this.#watched.get(token) ?? { end: new AbortController(), until }
    watched.until = Math.max(watched.until, until)
    this.#watched.set(token, watched)
    this.#look()
    return watched.end.signal
  }

  #look(): void {
    if (this.#isLooking || this.#watched.size === 0) return
    this.#isLooking = true
    this.#clock.after(lookSeconds, () => {
      this.#isLooking = false
      const now = this.#clock.monotonicSeconds()
      for (const [token, { end, until }] of this.#watched) {
        const isGood = this.#isGood(token)
        if (isGood && now < until) continue
        this.#watched.delete(token)
        if (!isGood) end.abort()
      }
      this.#look()
    })
  }
}
