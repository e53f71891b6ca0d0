import type { GpuCard } from '../../../sensors/gpu/gpu-card.ts'

/** A driver's use of a card is a mean over a second at most: what a process did that has ended is told for no longer. */
const longestEchoSeconds = 2

export const nobodyListed = 'the card works, but its driver lists no process on it'

export const worksForNobody = ({ processes, utilizationPercent }: GpuCard): boolean =>
  utilizationPercent > 0 && processes.count === 0 && processes.listsAll && processes.loss === null

/** Finds cards that work for nobody: their driver does not show the processes that use them, as in some containers. */
export class UnlistedWork {
  /** Since when a card has worked so. */
  readonly #since = new Map<GpuCard, number>()

  look(card: GpuCard, now: number): void {
    const { processes } = card
    if (!worksForNobody(card)) {
      this.#since.delete(card)
      processes.unlisted = null
      return
    }
    const since = this.#since.get(card) ?? now
    this.#since.set(card, since)
    if (now - since >= longestEchoSeconds) processes.unlisted = nobodyListed
  }
}
