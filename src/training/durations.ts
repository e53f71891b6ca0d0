import { percentile } from '../analysis/statistics/statistics.ts'

/** So many are kept; a percentile of more is one of every second, fourth, eighth … of them. */
const mostKept = 32_768

/** Times of batches: their mean, exactly, and percentiles. Takes bounded memory however many there are. */
export class Durations {
  #count = 0
  #sumSeconds = 0
  #kept: number[] = []
  #every = 1

  add(seconds: number): void {
    if (this.#count % this.#every === 0) this.#keep(seconds)
    this.#count += 1
    this.#sumSeconds += seconds
  }

  #keep(seconds: number): void {
    this.#kept.push(seconds)
    if (this.#kept.length < mostKept) return
    this.#kept = this.#kept.filter((_, index) => index % 2 === 0)
    this.#every *= 2
  }

  get count(): number {
    return this.#count
  }

  /** Both undefined where there are none. */
  get meanMs(): number | undefined {
    return this.#count === 0 ? undefined : (this.#sumSeconds / this.#count) * 1000
  }

  get p95Ms(): number | undefined {
    const seconds = percentile(this.#kept, 95)
    return seconds === undefined ? undefined : seconds * 1000
  }

  clear(): void {
    this.#count = 0
    this.#sumSeconds = 0
    this.#every = 1
    this.#kept.length = 0
  }
}
