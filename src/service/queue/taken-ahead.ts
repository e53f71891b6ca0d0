import type { GivenBack } from '../../store/postgres/queue/exchange.ts'
import type { TakenAttempt } from '../../store/postgres/queue/take.ts'

interface Waiting {
  readonly taken: TakenAttempt
  readonly at: number
  /** How many that were taken later have begun meanwhile. */
  passedOver: number
}

type Fits = (taken: TakenAttempt) => boolean

/** From then on nothing begins before it. */
const mostPassedOver = 32

/** What a worker has taken and not begun, in the order in which it came. One that fits begins before larger ones, up to a point. */
export class TakenAhead {
  #waiting: Waiting[] = []

  get count(): number {
    return this.#waiting.length
  }

  get taskIds(): readonly string[] {
    return this.#waiting.map(({ taken }) => taken.taskId)
  }

  add(taken: TakenAttempt, at: number): void {
    this.#waiting.push({ taken, at, passedOver: 0 })
  }

  /** Takes out the one that is to begin now; undefined where there is none. */
  next(fits: Fits): TakenAttempt | undefined {
    const place = this.#waiting.findIndex((each) => isOwed(each) || fits(each.taken))
    const next = this.#waiting[place]
    if (next === undefined || !fits(next.taken)) return undefined
    this.#waiting.splice(place, 1)
    for (const each of this.#waiting.slice(0, place)) each.passedOver += 1
    return next.taken
  }

  /** Whether what is free is for one of these, and for nothing else. */
  needsRoom(fits: Fits): boolean {
    return this.#waiting.some((each) => isOwed(each) || fits(each.taken))
  }

  /** Takes one out that is not to begin; false where it is not here. */
  remove(taskId: string): boolean {
    const place = this.#waiting.findIndex(({ taken }) => taken.taskId === taskId)
    if (place >= 0) this.#waiting.splice(place, 1)
    return place >= 0
  }

  /** Takes out those that came before then. */
  removeOlder(than: number): readonly GivenBack[] {
    const old = this.#waiting.filter(({ at }) => at < than)
    this.#waiting = this.#waiting.filter(({ at }) => at >= than)
    return old.map(({ taken, passedOver }) => ({ taskId: taken.taskId, passedOver }))
  }

  clear(): void {
    this.#waiting = []
  }
}

const isOwed = ({ passedOver }: Waiting): boolean => passedOver >= mostPassedOver
