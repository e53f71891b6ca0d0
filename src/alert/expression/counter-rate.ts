/** Closer together, a clock tick of 10 ms looks like a busy core. */
const closestSeconds = 0.5

/** What a counter grew by, and how fast, since the last value that was known. */
export class CounterRate {
  /** NaN where nothing new is known. */
  perSecond = Number.NaN
  increase = Number.NaN
  #value = Number.NaN
  #at = Number.NaN

  take(value: number, at: number): void {
    this.perSecond = Number.NaN
    this.increase = Number.NaN
    if (Number.isNaN(value) || at - this.#at < closestSeconds) return
    // One that went back has begun anew.
    if (value >= this.#value) {
      this.increase = value - this.#value
      this.perSecond = this.increase / (at - this.#at)
    }
    this.#value = value
    this.#at = at
  }
}
