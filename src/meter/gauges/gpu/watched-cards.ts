import type { GpuCard, GpuSource, WatchedProcesses } from '../../../sensors/gpu/gpu-card.ts'
import type { System } from '../../../system/system.ts'
import { CardShares } from './card-shares.ts'

/** Cards tell means over a sixth of a second or more: nothing new is seen sooner. */
const closestLooksSeconds = 0.2
/** Energy takes 4 ms to read on a large card. */
const seldomSeconds = 10
/** Where its answer is late: to ask a slow driver for it at every look would make it slower. */
const seldomRetrySeconds = 2
/** What the units of a card did takes a millisecond or more to read, and is a mean over the time since. */
const activitySeconds = 2

/** When a source is asked for what is dear. */
interface SeldomTurn {
  /** Whether the last look was one. */
  isNow: boolean
  nextAt: number
}

/** The cards of a machine that has some, looked at once for all jobs. */
export class WatchedCards {
  readonly cards: readonly GpuCard[]
  /** Counts the looks. */
  looks = 0
  readonly #system: System
  readonly #sources: readonly GpuSource[]
  readonly #seldom: ReadonlyMap<GpuSource, SeldomTurn>
  readonly #wanted = new Map<GpuCard, number>()
  /** Of cards that somebody needed them of. */
  readonly #shares = new Map<GpuCard, CardShares>()
  /** The last look at which they were asked for. */
  #sharesLook = -1
  /** What their energy counters said at the last look. */
  readonly #counters = new Map<GpuCard, number>()
  #lookedAt = -Infinity
  #activityAt = -Infinity

  constructor(system: System, sources: readonly GpuSource[]) {
    this.#system = system
    this.#sources = sources
    this.#seldom = new Map(sources.map((source) => [source, { isNow: false, nextAt: -Infinity }]))
    this.cards = sources.flatMap(({ cards }) => cards)
    this.cards.forEach((card, place) => (card.number = place))
  }

  /** Asks the cards ahead, if a look is due: they answer while whoever is about to look reads something else. */
  ask(): void {
    const now = this.#system.clock.monotonicSeconds()
    if (!this.#isDue(now)) return
    for (const [source, { nextAt }] of this.#seldom) source.ask?.(now >= nextAt)
  }

  /** Brings the cards up to date if that is due. `thorough` asks for what is dear as well, and waits for no turn. */
  look(thorough = false): void {
    const now = this.#system.clock.monotonicSeconds()
    if (!thorough && !this.#isDue(now)) return
    for (const [source, turn] of this.#seldom) lookAt(source, turn, now, thorough)
    for (const shares of this.#shares.values()) shares.looked(now, now - this.#lookedAt)
    for (const [{ cards }, { isNow }] of this.#seldom)
      for (const card of cards) this.#noteEnergy(card, isNow, now - this.#lookedAt)
    this.#lookedAt = now
    this.looks += 1
    if (this.#wanted.size > 0 && (thorough || now - this.#activityAt >= activitySeconds))
      this.#readActivity(now)
  }

  /** From now on what the units of a card do is read, for as long as somebody wants it. */
  want(card: GpuCard): void {
    const wanted = this.#wanted.get(card) ?? 0
    this.#wanted.set(card, wanted + 1)
    // From here on: what it did before was for others.
    if (wanted === 0) for (const source of this.#sources) source.lookAtActivity([card])
    if (this.#wanted.size === 1) this.#activityAt = this.#system.clock.monotonicSeconds()
  }

  unwant(card: GpuCard): void {
    const left = (this.#wanted.get(card) ?? 1) - 1
    if (left > 0) this.#wanted.set(card, left)
    else this.#wanted.delete(card)
  }

  /** Who does how much on a card is asked now and then, while somebody needs it: where a card is one job's, nobody does. */
  needShares(card: GpuCard): void {
    const now = this.#system.clock.monotonicSeconds()
    const known = this.#shares.get(card)
    if (known?.isDue(now, this.#sharesLook === this.looks) === false) return
    const source = this.#sources.find(({ cards }) => cards.includes(card))
    // Other sources tell shares at every look.
    if (source?.lookAtShares === undefined) return
    const shares = known ?? new CardShares(card)
    this.#shares.set(card, shares)
    shares.asked(now)
    this.#sharesLook = this.looks
    source.lookAtShares(card)
    shares.takeAnswer(now)
  }

  /** Undefined where nobody needed them yet, and where they are told at every look. */
  sharesOf(card: GpuCard): CardShares | undefined {
    return this.#shares.get(card)
  }

  /** Has processes looked at; the answer ends that. */
  watch(processes: WatchedProcesses): () => void {
    const ends = this.#sources.flatMap((source) => source.watch?.(processes) ?? [])
    return () => {
      for (const end of ends) end()
    }
  }

  close(): void {
    for (const source of this.#sources) source.close()
  }

  #isDue(now: number): boolean {
    return now - this.#lookedAt >= closestLooksSeconds
  }

  /** `seldom`: its counter was asked for; `seconds`: since the last look. */
  #noteEnergy(card: GpuCard, seldom: boolean, seconds: number): void {
    // A card that was not read for a while has its counter read out of turn.
    const isTold = !Object.is(card.energyJoules, this.#counters.get(card))
    this.#counters.set(card, card.energyJoules)
    if (card.failure !== null) return
    const { powerWatts } = card
    const isCounted = !card.isStale && (seldom || isTold)
    // Of a card that is as it was, a counter that changed is that of the look before, which was answered late.
    if (isCounted || isTold) card.joulesSince = 0
    if (!isCounted && powerWatts >= 0) card.joulesSince += powerWatts * seconds
    if (card.utilizationPercent === 0 && powerWatts >= 0 && !(powerWatts >= card.idlePowerWatts))
      card.idlePowerWatts = powerWatts
  }

  #readActivity(now: number): void {
    this.#activityAt = now
    const cards = [...this.#wanted.keys()]
    for (const source of this.#sources) source.lookAtActivity(cards)
  }
}

/** Each source has turns of its own: one that is slow, or has ended, makes the others no dearer. */
function lookAt(source: GpuSource, turn: SeldomTurn, now: number, thorough: boolean): void {
  turn.isNow = thorough || now >= turn.nextAt
  const isAnswered = source.look(turn.isNow)
  if (turn.isNow) turn.nextAt = now + (isAnswered ? seldomSeconds : seldomRetrySeconds)
  for (const card of source.cards) card.isStale = !isAnswered && card.failure === null
}
