import { higher, type CardUse } from './card-use.ts'
import { SpanMean } from './span-mean.ts'
import { sum } from './told-figure.ts'

/**
 * The driver makes ten notes in this time. In a minute of shorter ones some would name one process alone by chance, though it
 * had half of the card. Looks may come a little early.
 */
const leastPeakSeconds = 1.95

/** A card of a job at a look. */
export interface CardAtLook {
  readonly use: CardUse
  /** What it does for the job. Written anew at each look. */
  percent: number
  /** Others are on it as well, and whose work it does is told only now and then, of the time before. */
  isDivided: boolean
}

/**
 * The most that the cards of a job worked for it at once, mean over the cards. Of a card that is shared that is known from one
 * answer of the driver to the next: what the others did is taken over the same time.
 */
export class PeakWork {
  /** By what is certain of shared cards, and by what is presumed of them. */
  #certain = Number.NaN
  #presumed = Number.NaN
  /** Since all shared cards were last told of at once: how long that is, and what each card did. */
  #seconds = 0
  readonly #spans = new Map<CardUse, SpanMean>()
  readonly #divided = new Set<CardUse>()
  /** Of some of that time it is not known how a card was divided. */
  #isBroken = false
  /** What is certain and not long enough yet. */
  #untold = new SpanMean()

  /** What is presumed may add up what never was at once: it stands only where nothing is certain. */
  get percent(): number {
    return Number.isNaN(this.#certain) ? this.#presumed : this.#certain
  }

  look(cards: readonly CardAtLook[], seconds: number): void {
    const percent = meanPercent(cards)
    this.#presumed = higher(this.#presumed, percent)
    if (!isAnyDivided(cards)) {
      this.#certain = higher(this.#certain, percent)
      // What a card does that is shared from now on is not told from the beginning: there is no span to begin.
      return this.#forget()
    }
    this.#seconds += seconds
    for (const card of cards) this.#add(card, seconds)
    for (const { use, isDivided } of cards)
      if (isDivided && use.divided.answer === undefined) return
    if (!this.#isBroken) this.#note()
    this.#begin(cards)
  }

  #add({ use, percent, isDivided }: CardAtLook, seconds: number): void {
    const span = this.#spans.get(use)
    const { answer } = use.divided
    if (span === undefined || isDivided !== this.#divided.has(use)) this.#isBroken = true
    else if (!isDivided) span.add(percent, seconds)
    else if (answer === 'uncertain') this.#isBroken = true
    else if (answer !== undefined) span.add(answer.percent, answer.seconds)
  }

  #note(): void {
    const means = [...this.#spans.values()].map(({ mean }) => mean)
    this.#untold.add(sum(means) / means.length, this.#seconds)
    if (this.#untold.seconds < leastPeakSeconds) return
    this.#certain = higher(this.#certain, this.#untold.mean)
    this.#untold = new SpanMean()
  }

  #begin(cards: readonly CardAtLook[]): void {
    this.#forget()
    for (const { use, isDivided } of cards) {
      this.#spans.set(use, new SpanMean())
      if (isDivided) this.#divided.add(use)
    }
  }

  #forget(): void {
    this.#seconds = 0
    this.#isBroken = false
    this.#spans.clear()
    this.#divided.clear()
  }
}

/** What is not told of a card counts as nothing; NaN where nothing is told of any. */
function meanPercent(cards: readonly CardAtLook[]): number {
  let total = Number.NaN
  for (const { percent } of cards) if (!Number.isNaN(percent)) total = (total || 0) + percent
  return total / cards.length
}

function isAnyDivided(cards: readonly CardAtLook[]): boolean {
  for (const { isDivided } of cards) if (isDivided) return true
  return false
}
