/** After so many rounds, or seconds, in which nothing was known, the time begins anew. */
const longestGap = { rounds: 3, seconds: 30 }

/** A round, or another stretch of time, that was looked at: in milliseconds since 1970. */
export interface Stretch {
  readonly fromMs: number
  readonly toMs: number
}

/**
 * How long something has been so without a break. Only time that was looked at counts; a short gap is passed over, and
 * after a long one the time begins anew. Whole milliseconds, so that the edge is exact.
 */
export class Dwell {
  heldMs = 0
  sinceMs = 0
  #seenUntilMs = Number.NEGATIVE_INFINITY

  /** Null: it is not known, as if nobody had looked. */
  add(holds: boolean | null, { fromMs, toMs }: Stretch): void {
    if (holds === null) return
    const gap = fromMs - this.#seenUntilMs
    const longest = Math.max(longestGap.seconds * 1e3, longestGap.rounds * (toMs - fromMs))
    if (!holds || gap > longest) this.heldMs = 0
    this.#seenUntilMs = toMs
    if (!holds) return
    if (this.heldMs === 0) this.sinceMs = fromMs
    this.heldMs += toMs - fromMs
  }

  hasHeldFor(seconds: number): boolean {
    return this.heldMs > 0 && this.heldMs >= Math.round(seconds * 1e3)
  }
}
