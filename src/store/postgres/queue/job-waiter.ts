import { isOver } from '../../../model/queue.ts'
import { asTeamError } from '../team-error.ts'
import { statesOf } from './jobs.ts'
import type { TeamQueue } from './team-queue.ts'

/** Who was not told looks so often, */
const lookSeconds = 1
/** and sees so often to the jobs of lost workers, for there may be no other who does. */
const reapSeconds = 5

interface WaiterTools {
  readonly clock: {
    monotonicSeconds(): number
    after(seconds: number, callback: () => void): () => void
  }
  /** For people: what keeps the waiter from knowing, and when that is over. */
  readonly note: (message: string) => void
}

interface Waiting {
  readonly promise: Promise<void>
  resolve(): void
  reject(error: unknown): void
}

/** Waits for any number of jobs with one connection and one question. */
export class JobWaiter {
  readonly #queue: TeamQueue
  readonly #tools: WaiterTools
  readonly #waiting = new Map<string, Waiting>()
  #wake: () => void = () => {}
  #isLooking = false
  #isClosed = false
  #hasTrouble = false
  #reapedAt: number
  #mayReap = true

  constructor(queue: TeamQueue, tools: WaiterTools) {
    this.#queue = queue
    this.#tools = tools
    this.#reapedAt = tools.clock.monotonicSeconds()
  }

  /**
   * Resolves when the job is over, or not there. A server that does not answer is asked again; where no answer is to be had
   * unless somebody does something about it, such as rights that are gone, this rejects.
   */
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
    while (!this.#isClosed && this.#waiting.size > 0) {
      try {
        await this.#tellThoseOver()
        await this.#reapNowAndThen()
        if (this.#hasTrouble) this.#tools.note('the queue answers again')
        this.#hasTrouble = false
      } catch (error) {
        this.#failed(error)
      }
      if (this.#waiting.size > 0 && !this.#isClosed) await this.#pause()
    }
    stopListening()
    this.#isLooking = false
  }

  #failed(error: unknown): void {
    if (this.#isClosed) return
    const trouble = asTeamError(error, this.#queue.address)
    if (trouble.isPassing) {
      if (!this.#hasTrouble) this.#tools.note(`asks again until it is answered: ${trouble.message}`)
      this.#hasTrouble = true
      return
    }
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
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

  async #reapNowAndThen(): Promise<void> {
    const now = this.#tools.clock.monotonicSeconds()
    if (!this.#mayReap || now - this.#reapedAt < reapSeconds) return
    this.#reapedAt = now
    try {
      await this.#queue.reap()
    } catch (error) {
      // Who only looks can wait as well.
      if (asTeamError(error, this.#queue.address).code !== 'no-rights') throw error
      this.#mayReap = false
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#tools.clock.after(lookSeconds, resolve)
      this.#wake = () => {
        cancel()
        resolve()
      }
    })
  }
}
