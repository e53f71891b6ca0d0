export interface DwellTimes {
  readonly forSeconds: number
  readonly clearForSeconds: number
  /** Nothing is known of a longer time without a value: what was so before need not have lasted. */
  readonly longestGapSeconds: number
}

/** What one value says: wrong, well, or neither (between two thresholds). */
export type Verdict = 'wrong' | 'well' | 'between'
export type Change = 'fires' | 'resolves' | null

/** Whether one thing fires, by what each value says. Only known values are given. */
export class Dwell {
  readonly #times: DwellTimes
  #isFiring = false
  /** Since when it has been wrong, or well while it fires; NaN if it is not. */
  #since = Number.NaN
  #lastAt = -Infinity

  constructor(times: DwellTimes) {
    this.#times = times
  }

  get isFiring(): boolean {
    return this.#isFiring
  }

  /** A value that is not later than the last one says nothing new. */
  take(verdict: Verdict, at: number): Change {
    if (!(at > this.#lastAt)) return null
    const isGap = at - this.#lastAt > this.#times.longestGapSeconds
    this.#lastAt = at
    const [leads, neededSeconds] = this.#isFiring
      ? (['well', this.#times.clearForSeconds] as const)
      : (['wrong', this.#times.forSeconds] as const)
    if (verdict !== leads) {
      this.#since = Number.NaN
      return null
    }
    if (isGap || Number.isNaN(this.#since)) this.#since = at
    if (at - this.#since < neededSeconds) return null
    this.#isFiring = !this.#isFiring
    this.#since = Number.NaN
    return this.#isFiring ? 'fires' : 'resolves'
  }

  /** There is nothing more to look at. */
  end(): Change {
    const wasFiring = this.#isFiring
    this.#isFiring = false
    return wasFiring ? 'resolves' : null
  }
}
