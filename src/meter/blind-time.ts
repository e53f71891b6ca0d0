/** For how long new processes of one job were not looked for although there were some, because looking was too dear. */
export class BlindTime {
  #since = NaN
  #longestSeconds = 0
  #endedSeconds = 0

  /** A search was put off. It may have been before. */
  begin(now: number): void {
    if (Number.isNaN(this.#since)) this.#since = now
  }

  /** All of them were looked for, in whatever way. */
  end(now: number): void {
    if (Number.isNaN(this.#since)) return
    const seconds = now - this.#since
    this.#longestSeconds = Math.max(this.#longestSeconds, seconds)
    this.#endedSeconds += seconds
    this.#since = NaN
  }

  get longestSeconds(): number {
    return this.#longestSeconds
  }

  get inAllSeconds(): number {
    return this.#endedSeconds
  }
}
