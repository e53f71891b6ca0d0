import { isOver } from '../../../model/queue.ts'
import { statesOf } from './jobs.ts'
import type { TeamQueue } from './team-queue.ts'

/** Who was not told looks so often, */
const lookMilliseconds = 1_000
/** and sees so often to the jobs of lost workers, for there may be no other who does. */
const reapMilliseconds = 5_000

/** Waits for any number of jobs with one connection and one question. */
export class JobWaiter {
  readonly #queue: TeamQueue
  readonly #waiting = new Map<string, { readonly promise: Promise<void>; resolve: () => void }>()
  #wake: () => void = () => {}
  #isLooking = false
  #isClosed = false

  constructor(queue: TeamQueue) {
    this.#queue = queue
  }

  /** Resolves when the job is over, or not there. */
  wait(id: string): Promise<void> {
    const waiting = this.#waiting.get(id) ?? Promise.withResolvers<void>()
    this.#waiting.set(id, waiting)
    if (this.#isLooking) this.#wake()
    else void this.#look()
    return waiting.promise
  }

  /** Whoever still waits does so no longer. */
  close(): void {
    this.#isClosed = true
    for (const { resolve } of this.#waiting.values()) resolve()
    this.#waiting.clear()
    this.#wake()
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    const stopListening = this.#queue.onEndings(() => this.#wake())
    let reapedAt = Date.now()
    while (!this.#isClosed && this.#waiting.size > 0) {
      try {
        await this.#tellThoseOver()
        if (Math.abs(Date.now() - reapedAt) > reapMilliseconds) {
          reapedAt = Date.now()
          await this.#queue.reap()
        }
      } catch {
        // A server that does not answer is asked again: who waits is told when there is something to tell.
      }
      if (this.#waiting.size > 0 && !this.#isClosed) await this.#pause()
    }
    stopListening()
    this.#isLooking = false
  }

  async #tellThoseOver(): Promise<void> {
    const ids = [...this.#waiting.keys()]
    const states = await statesOf(this.#queue.database, ids)
    for (const id of ids) {
      const state = states.get(id)
      if (state !== undefined && !isOver(state)) continue
      this.#waiting.get(id)?.resolve()
      this.#waiting.delete(id)
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, lookMilliseconds)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
