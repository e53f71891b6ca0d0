import type { Clock } from '../../../system/system.ts'
import type { PlacedOrder, Site, Submission } from './site.ts'

/** Orders on their way to their site: those that come within a moment of each other together. */
export class Handover {
  readonly #clock: Clock
  readonly #site: Site
  readonly #hear: (answers: readonly (readonly [PlacedOrder, Submission])[]) => void
  #unsent: PlacedOrder[] = []
  #stopSending: (() => void) | undefined

  constructor(
    clock: Clock,
    site: Site,
    hear: (answers: readonly (readonly [PlacedOrder, Submission])[]) => void,
  ) {
    this.#clock = clock
    this.#site = site
    this.#hear = hear
  }

  add(order: PlacedOrder): void {
    this.#unsent.push(order)
    this.#stopSending ??= this.#clock.after(this.#site.gatherSeconds, () => {
      this.#stopSending = undefined
      void this.#send()
    })
  }

  stop(): void {
    this.#stopSending?.()
  }

  async #send(): Promise<void> {
    const orders = this.#unsent.filter(({ folder }) => folder.readClaim() === undefined)
    this.#unsent = []
    if (orders.length === 0) return
    const answers = await this.#site.submit(orders)
    this.#hear(
      orders.flatMap((order, index) => {
        const answer = answers[index]
        return answer === undefined ? [] : [[order, answer] as const]
      }),
    )
  }
}
