/** Least, most and mean of a quantity over time: each value holds until the next, however unevenly they come. */
export class TimeMean {
  least = NaN
  most = NaN
  #area = 0
  #span = 0
  #at = NaN
  #value = NaN

  add(atSeconds: number, value: number): void {
    if (!Number.isFinite(value)) return
    if (!(value >= this.least)) this.least = value
    if (!(value <= this.most)) this.most = value
    this.#extend(atSeconds)
    this.#at = atSeconds
    this.#value = value
  }

  /** The mean up to a moment; NaN when nothing was ever added. */
  meanUntil(atSeconds: number): number {
    this.#extend(atSeconds)
    this.#at = Math.max(this.#at, atSeconds)
    return this.#span > 0 ? this.#area / this.#span : this.#value
  }

  #extend(atSeconds: number): void {
    const span = atSeconds - this.#at
    if (!(span > 0)) return
    this.#area += span * this.#value
    this.#span += span
  }
}
