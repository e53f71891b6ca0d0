import type { AlertNotice } from '../../model/alert.ts'
import type { AlertStore } from '../../store/alerts/alert-store.ts'
import { openAlerts } from '../../store/alerts/open-alerts.ts'
import { StoreError } from '../../store/errors.ts'
import type { System } from '../../system/system.ts'

/** Answers what is news, if anything is. */
type Change = (store: AlertStore) => AlertNotice | readonly AlertNotice[] | null

export interface AlertLogListener {
  /** This is on disk. */
  onKept(news: readonly AlertNotice[]): void
  onProblem(problem: string): void
}

/** Another writes for some milliseconds at most. */
const againSeconds = 0.05
const endWait = { milliseconds: 2_000 }

/**
 * Writes down what fires, without waiting for others who have the file locked: what cannot be written now is written a
 * moment later. No job waits for it, and trouble with it is told once.
 */
export class AlertLog {
  readonly #system: System
  readonly #path: string
  readonly #onKept: (news: readonly AlertNotice[]) => void
  readonly #onProblem: (problem: string) => void
  readonly #waiting: Change[] = []
  #store: AlertStore | undefined
  #stopWaiting: (() => void) | undefined
  #isBroken = false

  constructor(system: System, path: string, listener: AlertLogListener) {
    this.#system = system
    this.#path = path
    this.#onKept = listener.onKept
    this.#onProblem = listener.onProblem
  }

  /** Whether nothing was ever written: then nothing can be over either. */
  get isMissing(): boolean {
    return this.#waiting.length === 0 && this.#system.files.isMissing(this.#path)
  }

  write(change: Change): void {
    this.#waiting.push(change)
    this.#flush(0)
  }

  /** The last chance, for which others are waited for a little. */
  end(): void {
    this.#stopWaiting?.()
    if (this.#waiting.length > 0) this.#flush(endWait.milliseconds)
    if (this.#waiting.length > 0 && !this.#isBroken)
      this.#onProblem('some alerts were not kept: another process has the file locked')
    this.#store?.close()
    this.#store = undefined
  }

  #flush(milliseconds: number): void {
    if (this.#isBroken) return
    try {
      const store = (this.#store ??= openAlerts(this.#path, { lockWait: { milliseconds } }))
      store.waitForLocks({ milliseconds })
      const news = store.batch(() => this.#waiting.map((change) => change(store)))
      this.#waiting.length = 0
      this.#onKept(news.flat().filter((notice) => notice !== null))
    } catch (error) {
      this.#failed(error)
    }
  }

  #failed(error: unknown): void {
    if (error instanceof StoreError && error.code === 'locked') {
      this.#stopWaiting?.()
      this.#stopWaiting = this.#system.clock.after(againSeconds, () => this.#flush(0))
      return
    }
    this.#isBroken = true
    this.#onProblem(
      `alerts are not kept: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
