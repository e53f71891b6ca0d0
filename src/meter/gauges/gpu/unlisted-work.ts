import type { GpuCard } from '../../../sensors/gpu/gpu-card.ts'

/** A driver's use of a card is a mean over a second at most: what a process did that has ended is told for no longer. */
const longestEchoSeconds = 2

const nobodyListed = 'the card works, but its driver lists no process on it'

/** A card that works for nobody: its driver does not show the processes that use it, as in some containers. */
export class UnlistedWork {
  /** Since when it has worked so. */
  readonly #since = new Map<GpuCard, number>()

  look(card: GpuCard, now: number): void {
    const { processes, utilizationPercent } = card
    if (!(utilizationPercent > 0) || processes.count > 0 || !processes.listsAll) {
      this.#since.delete(card)
      return
    }
    const since = this.#since.get(card) ?? now
    this.#since.set(card, since)
    if (now - since >= longestEchoSeconds) processes.loss ??= nobodyListed
  }
}
