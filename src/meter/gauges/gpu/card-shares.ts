import type { GpuCard } from '../../../sensors/gpu/gpu-card.ts'
import { workWattsOf } from './own-part.ts'
import { worksForNobody } from './unlisted-work.ts'

/**
 * What takes 2 ms is asked for every two seconds. Where processes come and go, or the card works much more or less than at the
 * last time, others may be at work now: then sooner.
 */
const sharesSeconds = 2
const restlessSharesSeconds = 0.5
/** Where another card is asked at the same look: what several did is then known of the same time. Looks may come a little early. */
const joinedSharesSeconds = 0.9
/** Processes that came or went say for so long that others will. */
const restlessSeconds = 5
const newWorkPercent = 25
/** Nobody may have needed them for a while: the driver forgets, and does not say what it still knew. */
const longestWindowSeconds = 5

/** What a card did between two times that the shares of its processes were asked for. */
export interface Division {
  /** Of as much of the time as the card told its use. */
  seconds: number
  /** Its use, added up over time. */
  percentSeconds: number
  /** What it drew above its draw at rest. */
  workJoules: number
  /**
   * Whether the answer divides all of it: the driver drops what processes did that have ended, and spreads it over those that
   * are left (an H200 told of 99 % where it had been 60 %).
   */
  isWhole: boolean
}

/** When the shares of a card's processes are asked for, and what they are shares of. */
export class CardShares {
  /** What the last answer divides. */
  division: Division = emptyDivision()
  /** Counts them: whoever looks seldom may have missed some. */
  divisions = 0
  /** What the card did since. */
  since: Division = emptyDivision()
  readonly #card: GpuCard
  #answers: number
  #askedAt = -Infinity
  #answeredAt = -Infinity
  #workedPercent = 0
  #changedAt = -Infinity
  /** Those that were seen since the last answer. */
  readonly #seen = new Set<number>()
  /** Those of which the last answer told all that they did in its time. */
  #told = new Set<number>()
  /** Those that were on the card when it came. */
  #asked = new Set<number>()

  constructor(card: GpuCard) {
    this.#card = card
    this.#answers = card.processes.sharesAnswers
  }

  /** Whether the last answer says how much this process does. */
  tells(pid: number): boolean {
    return this.#told.has(pid)
  }

  /** Notes a look at the card, which speaks of so much time. */
  looked(now: number, seconds: number): void {
    const { processes, utilizationPercent } = this.#card
    const present = this.#present()
    for (const pid of this.#seen)
      if (!present.has(pid)) {
        this.since.isWhole = false
        this.#changedAt = now
      }
    for (const pid of present) if (!this.#seen.has(pid)) this.#changedAt = now
    if (processes.loss !== null || worksForNobody(this.#card)) this.since.isWhole = false
    for (const pid of present) this.#seen.add(pid)
    const joules = workWattsOf(this.#card) * seconds
    if (joules >= 0) this.since.workJoules += joules
    if (utilizationPercent >= 0) {
      this.since.seconds += seconds
      this.since.percentSeconds += utilizationPercent * seconds
    }
    // An answer may be late: then it divides what the card did until it came.
    this.takeAnswer(now)
  }

  /** `isJoining`: another card is asked as well. */
  isDue(now: number, isJoining: boolean): boolean {
    const { utilizationPercent } = this.#card
    const change = Math.abs(utilizationPercent - this.#workedPercent)
    const isRestless =
      change > newWorkPercent ||
      now - this.#changedAt < restlessSeconds ||
      (utilizationPercent > 0 && this.#isIdle())
    const calmSeconds = isJoining ? joinedSharesSeconds : sharesSeconds
    return (
      now - Math.max(this.#askedAt, this.#answeredAt) >=
      (isRestless ? restlessSharesSeconds : calmSeconds)
    )
  }

  /** They are asked for: the answer may come with that of a later look. */
  asked(now: number): void {
    this.#askedAt = now
  }

  /** Takes the answer of the driver, if there is a new one. */
  takeAnswer(now: number): void {
    const { sharesAnswers } = this.#card.processes
    if (sharesAnswers === this.#answers) return
    this.#answers = sharesAnswers
    this.division = this.since
    this.divisions += 1
    const isFirst = this.#answeredAt === -Infinity
    if (now - this.#answeredAt > longestWindowSeconds) this.division.isWhole = false
    this.since = emptyDivision()
    this.#answeredAt = now
    this.#workedPercent = this.#card.utilizationPercent
    const present = this.#present()
    // The first answer is of all that the driver still knows: who came a moment ago has hardly begun.
    this.#told = new Set([...present].filter((pid) => isFirst || this.#asked.has(pid)))
    this.#asked = present
    this.#seen.clear()
    for (const pid of present) this.#seen.add(pid)
  }

  #present(): Set<number> {
    const { processes } = this.#card
    return new Set(processes.pids.slice(0, processes.count))
  }

  /** What all processes on it did, by the last answer. */
  #isIdle(): boolean {
    const { processes } = this.#card
    for (let at = 0; at < processes.count; at++)
      if ((processes.utilizationPercent[at] || 0) > 0) return false
    return true
  }
}

const emptyDivision = (): Division => ({
  seconds: 0,
  percentSeconds: 0,
  workJoules: 0,
  isWhole: true,
})
