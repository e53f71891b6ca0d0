import type { GpuCard, GpuSource, WatchedProcesses } from '../../../sensors/gpu/gpu-card.ts'
import type { System } from '../../../system/system.ts'

/** Cards tell means over a sixth of a second or more: nothing new is seen sooner. */
const closestLooksSeconds = 0.2
/** Energy takes 4 ms to read on a large card. */
const seldomSeconds = 10
/** What the units of a card did takes a millisecond or more to read, and is a mean over the time since. */
const activitySeconds = 2
/**
 * So do the shares of processes. Where the card works much more or less than at the last time, or nobody worked then, others
 * may be at work now: they are asked for sooner.
 */
const sharesSeconds = 2
const firstSharesSeconds = 0.5
const newWorkPercent = 25

/** The cards of a machine that has some, looked at once for all jobs. */
export class WatchedCards {
  readonly cards: readonly GpuCard[]
  /** Counts the looks. */
  looks = 0
  readonly #system: System
  readonly #sources: readonly GpuSource[]
  readonly #wanted = new Map<GpuCard, number>()
  /** When the shares of its processes were last asked for, and how much it worked then. */
  readonly #shares = new Map<
    GpuCard,
    { readonly at: number; readonly utilizationPercent: number }
  >()
  /** What their energy counters said at the last look. */
  readonly #counters = new Map<GpuCard, number>()
  #lookedAt = -Infinity
  #lookedSeldomAt = -Infinity
  #activityAt = -Infinity

  constructor(system: System, sources: readonly GpuSource[]) {
    this.#system = system
    this.#sources = sources
    this.cards = sources.flatMap(({ cards }) => cards)
    this.cards.forEach((card, place) => (card.number = place))
  }

  /** Asks the cards ahead, if a look is due: they answer while whoever is about to look reads something else. */
  ask(): void {
    const now = this.#system.clock.monotonicSeconds()
    if (!this.#isDue(now)) return
    const seldom = this.#isSeldomDue(now)
    for (const source of this.#sources) source.ask?.(seldom)
  }

  /** Brings the cards up to date if that is due. `thorough` asks for what is dear as well, and waits for no turn. */
  look(thorough = false): void {
    const now = this.#system.clock.monotonicSeconds()
    if (!thorough && !this.#isDue(now)) return
    const seldom = thorough || this.#isSeldomDue(now)
    if (seldom) this.#lookedSeldomAt = now
    for (const source of this.#sources) source.look(seldom)
    for (const card of this.cards) {
      // A card that was not read for a while has its counter read out of turn.
      const isCounted = seldom || !Object.is(card.energyJoules, this.#counters.get(card))
      this.#counters.set(card, card.energyJoules)
      noteEnergy(card, isCounted ? 0 : now - this.#lookedAt)
    }
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
    const last = this.#shares.get(card)
    const { utilizationPercent } = card
    const change = Math.abs(utilizationPercent - (last?.utilizationPercent ?? 0))
    const isNews = (utilizationPercent > 0 && workOf(card) === 0) || change > newWorkPercent
    const waited = now - (last?.at ?? -Infinity)
    if (waited < (isNews ? firstSharesSeconds : sharesSeconds)) return
    // Other sources tell shares at every look.
    if (this.#sources.some((source) => source.lookAtShares?.(card) === true))
      this.#shares.set(card, { at: now, utilizationPercent })
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

  #isSeldomDue(now: number): boolean {
    return now - this.#lookedSeldomAt >= seldomSeconds
  }

  #readActivity(now: number): void {
    this.#activityAt = now
    const cards = [...this.#wanted.keys()]
    for (const source of this.#sources) source.lookAtActivity(cards)
  }
}

/** What all processes on it did, at the last time that shares were asked for. */
function workOf({ processes }: GpuCard): number {
  let all = 0
  for (let at = 0; at < processes.count; at++) all += processes.utilizationPercent[at] || 0
  return all
}

/** `seconds`: since the last look; 0 where its counter was read just now. */
function noteEnergy(card: GpuCard, seconds: number): void {
  const { powerWatts } = card
  if (card.failure !== null) return
  if (seconds === 0) card.joulesSince = 0
  else if (powerWatts >= 0) card.joulesSince += powerWatts * seconds
  if (card.utilizationPercent === 0 && powerWatts >= 0 && !(powerWatts >= card.idlePowerWatts))
    card.idlePowerWatts = powerWatts
}
