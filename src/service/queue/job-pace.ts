/** Only jobs as short as this are taken ahead: others would wait here for long while another worker is free. */
export const shortSeconds = 0.25
/** Of each lane about so many of the last jobs count. */
const remembered = 16
/** So many lanes are remembered. */
const mostLanes = 1024
const mostAhead = 256

interface Lane {
  readonly jobs: number
  readonly meanSeconds: number
}

/**
 * How many jobs a worker takes before there is room for them: as many as it can run until the second exchange with the database
 * from now is over. Jobs of a few milliseconds would else wait for the database most of the time.
 */
export class JobPace {
  readonly #lanes = new Map<number, Lane>()
  /** Those whose jobs are short. */
  readonly #short = new Set<number>()
  /** Of jobs of such lanes. */
  #meanSeconds = 0
  #ended = 0
  #endedBefore = 0
  #exchangeSeconds = 0.1

  get shortLanes(): ReadonlySet<number> {
    return this.#short
  }

  jobTook(lane: number, seconds: number): void {
    this.#ended += 1
    const { jobs, meanSeconds } = this.#lanes.get(lane) ?? { jobs: 0, meanSeconds: 0 }
    const counted = Math.min(remembered, jobs + 1)
    const mean = meanSeconds + (seconds - meanSeconds) / counted
    this.#remember(lane, { jobs: counted, meanSeconds: mean })
    if (mean > shortSeconds) {
      this.#short.delete(lane)
      return
    }
    this.#short.add(lane)
    const before = this.#meanSeconds === 0 ? seconds : this.#meanSeconds
    this.#meanSeconds = before + (Math.min(seconds, shortSeconds) - before) / remembered
  }

  exchangeTook(seconds: number): void {
    this.#exchangeSeconds = 0.7 * this.#exchangeSeconds + 0.3 * seconds
    this.#endedBefore = this.#ended
    this.#ended = 0
  }

  /** `atOnce`: how many short ones run at the same time. */
  ahead(atOnce: number): number {
    if (this.#short.size === 0) return 0
    const seconds = 2 * this.#exchangeSeconds + 0.05
    const could = Math.ceil((Math.max(1, atOnce) * seconds) / Math.max(0.001, this.#meanSeconds))
    // A busy machine runs fewer than the length of the jobs says.
    const did = 4 + 2 * Math.max(this.#ended, this.#endedBefore)
    return Math.min(mostAhead, could, did)
  }

  /** The one that was heard of last is forgotten last. */
  #remember(lane: number, known: Lane): void {
    this.#lanes.delete(lane)
    this.#lanes.set(lane, known)
    const [oldest = lane] = this.#lanes.keys()
    if (this.#lanes.size <= mostLanes) return
    this.#lanes.delete(oldest)
    this.#short.delete(oldest)
  }
}
