/** Only jobs as short as this are taken ahead: others would wait here for long while another worker is free. */
const shortSeconds = 0.25
/** The last so many count. */
const remembered = 32
const mostAhead = 256

/**
 * How many jobs a worker takes before there is room for them: as many as it can run until the second exchange with the database
 * from now is over. Jobs of a few milliseconds would else wait for the database most of the time.
 */
export class JobPace {
  readonly #durations: number[] = []
  #ended = 0
  #endedBefore = 0
  #exchangeSeconds = 0.1

  jobTook(seconds: number): void {
    this.#ended += 1
    this.#durations.push(seconds)
    if (this.#durations.length > remembered) this.#durations.shift()
  }

  exchangeTook(seconds: number): void {
    this.#exchangeSeconds = 0.7 * this.#exchangeSeconds + 0.3 * seconds
    this.#endedBefore = this.#ended
    this.#ended = 0
  }

  /** `atOnce`: how many run at the same time. */
  ahead(atOnce: number): number {
    if (this.#durations.length === 0) return 0
    const sum = this.#durations.reduce((total, seconds) => total + seconds, 0)
    const mean = Math.max(0.001, sum / this.#durations.length)
    if (mean > shortSeconds) return 0
    const seconds = 2 * this.#exchangeSeconds + 0.05
    const could = Math.ceil((Math.max(1, atOnce) * seconds) / mean)
    // A busy machine runs fewer than the length of the jobs says.
    const did = 4 + 2 * Math.max(this.#ended, this.#endedBefore)
    return Math.min(mostAhead, could, did)
  }
}
