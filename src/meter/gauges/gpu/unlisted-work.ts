import type { GpuCard } from '../../../sensors/gpu/gpu-card.ts'
import { SpanMean } from './span-mean.ts'

/** A driver's use of a card is a mean over a second at most: what a process did that has ended is told for no longer. */
const longestEchoSeconds = 2

export const worksForNobody = ({ processes, utilizationPercent }: GpuCard): boolean =>
  utilizationPercent > 0 && processes.count === 0 && processes.listsAll && processes.loss === null

/**
 * Work of a card while its driver lists nobody on it, as one job sees it. It may be the echo of a process that has just ended.
 * Where it is more than that, the driver does not show who uses the card, as in some containers.
 */
export class UnlistedWork {
  /** The card works now for somebody whom its driver is known not to list. */
  isSure = false
  #isProven = false
  #wasRead = false
  /** Since when it has worked so without a break; NaN where it does not. */
  #since = Number.NaN
  /** Before that, it may be the echo of somebody who was listed. */
  #echoUntil = -Infinity
  #echo = new SpanMean()
  /** Nobody had looked before this work began: it may be the echo of somebody before. */
  #isOfBefore = false
  #ofBefore = new SpanMean()
  /** No echo, and nothing tells yet whose it was. */
  #doubted = new SpanMean()
  /** The same since somebody was last listed. */
  #unlistedSeconds = 0

  /** For so long it worked for nobody, and that was no echo, or is not known to be one. */
  get doubtedSeconds(): number {
    return this.#doubted.seconds + (this.#isOfBefore ? this.#ofBefore.seconds : 0)
  }

  look(card: GpuCard, elapsedSeconds: number, seconds: number): void {
    this.isSure = false
    const isFirst = !this.#wasRead
    this.#wasRead = card.failure === null
    if (card.processes.count > 0) this.#noteListed()
    // Nobody saw when in the time since the last look the last process ended.
    else this.#echoUntil = Math.min(this.#echoUntil, elapsedSeconds + longestEchoSeconds)
    if (!worksForNobody(card)) return this.#endSpell()
    if (isFirst) this.#isOfBefore = true
    if (Number.isNaN(this.#since)) this.#since = elapsedSeconds
    const isEcho = elapsedSeconds <= this.#echoUntil
    if (!isEcho && !this.#isOfBefore) this.#unlistedSeconds += seconds
    const isLong =
      elapsedSeconds - this.#since >= longestEchoSeconds ||
      this.#unlistedSeconds >= longestEchoSeconds
    // A card that stands as it was proves nothing.
    if (isLong && !card.isStale) this.#isProven = true
    this.isSure = this.#isProven
    if (this.isSure) return
    const work = this.#isOfBefore ? this.#ofBefore : isEcho ? this.#echo : this.#doubted
    work.add(card.utilizationPercent, seconds)
  }

  /** What it did before it was sure whose that was. */
  takeEarlier(): SpanMean {
    const earlier = new SpanMean()
    for (const { mean, seconds } of [this.#ofBefore, this.#echo, this.#doubted])
      earlier.add(mean, seconds)
    this.#ofBefore = new SpanMean()
    this.#echo = new SpanMean()
    this.#doubted = new SpanMean()
    return earlier
  }

  #noteListed(): void {
    this.#echoUntil = Infinity
    this.#isProven = false
    this.#unlistedSeconds = 0
  }

  /** What was no more than an echo is forgotten; what may be one of before is not counted unless the card does so again. */
  #endSpell(): void {
    this.#since = Number.NaN
    this.#isOfBefore = false
    this.#echo = new SpanMean()
  }
}
