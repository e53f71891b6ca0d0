/** Short jobs deserve a series too: the first looks come quickly, then at the configured interval. */
const firstLooksSeconds = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5] as const

/**
 * When to look. Regular looks stand on multiples of the interval since the start, so that lateness
 * never adds up.
 */
export class Pace {
  late = 0
  missed = 0
  readonly intervalSeconds: number
  readonly #firstLooks: readonly number[]
  #nextAt: number

  /** `isEven`: without the quick first looks. */
  constructor(intervalSeconds: number, isEven = false) {
    this.intervalSeconds = intervalSeconds
    this.#firstLooks = isEven ? [] : firstLooksSeconds
    this.#nextAt = this.#after(0)
  }

  /** When the next look is due, in seconds since the start. */
  get nextAtSeconds(): number {
    return this.#nextAt
  }

  /** Notes a look made at that time and sets the next. A look later than half an interval counts as late. */
  looked(elapsedSeconds: number): void {
    const regular = this.#nextAt >= this.intervalSeconds
    const lateness = elapsedSeconds - this.#nextAt
    if (regular && lateness > this.intervalSeconds / 2) this.late += 1
    if (regular && lateness >= this.intervalSeconds)
      this.missed += Math.floor(lateness / this.intervalSeconds)
    this.#nextAt = this.#after(Math.max(elapsedSeconds, this.#nextAt))
  }

  #after(elapsedSeconds: number): number {
    const early = this.#firstLooks.find((at) => at > elapsedSeconds && at < this.intervalSeconds)
    if (early !== undefined) return early
    // The small amount keeps a look at 0.3 from being due again at 0.30000000000000004; a day into a
    // job looked at 100 times a second it is no longer enough.
    const multiple = Math.floor(elapsedSeconds / this.intervalSeconds + 1e-9) + 1
    const next = multiple * this.intervalSeconds
    return next > elapsedSeconds ? next : (multiple + 1) * this.intervalSeconds
  }
}
