/**
 * A counter's increase a second since it was last read; NaN where it was not read, at the first reading, and where the counter
 * or the clock went back. Some counters are read more seldom than samples are taken.
 */
export class CounterRate {
  #time = Number.NaN
  #count = Number.NaN

  /** Whether it was ever read. */
  get isRead(): boolean {
    return !Number.isNaN(this.#count)
  }

  /** `count`: NaN where it was not read. */
  next(time: number, count: number): number {
    if (Number.isNaN(count)) return Number.NaN
    const seconds = time - this.#time
    const increase = count - this.#count
    this.#time = time
    this.#count = count
    return seconds > 0 && increase >= 0 ? increase / seconds : Number.NaN
  }

  copy(): CounterRate {
    const copy = new CounterRate()
    copy.#time = this.#time
    copy.#count = this.#count
    return copy
  }
}

/** The rate of a counter at each moment, times `scale`; NaN where there is none. */
export function rateColumn(times: Float64Array, counter: Float64Array, scale = 1): Float64Array {
  const rate = new CounterRate()
  const rates = new Float64Array(times.length)
  for (let row = 0; row < rates.length; row += 1)
    rates[row] = scale * rate.next(times[row] ?? Number.NaN, counter[row] ?? Number.NaN)
  return rates
}
