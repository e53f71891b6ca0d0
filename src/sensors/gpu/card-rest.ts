import type { Files } from '../../system/system.ts'
import { lineIn } from './card-sensors.ts'

/** After so long without use a card is put to sleep, where its driver does not say after how long. */
const usualDelaySeconds = 5
/** It takes a moment. */
const slackSeconds = 1
/**
 * Drivers wait 1 s (xe), 5 s (amdgpu) or 10 s (i915). A card whose owner has it wait for longer is read all the same: it would be
 * unread for all that time, and a shorter rest would not let it fall asleep.
 */
const longestDelaySeconds = 15
/** A card that stays awake though nobody reads it is kept awake by others; that may change. */
const tryAgainSeconds = 60

/**
 * Whether a card may be read. A driver wakes its card to tell what a sensor says, and the answer keeps the card awake for some
 * seconds more: one that is read every second never sleeps.
 */
export class CardRest {
  readonly #files: Files
  readonly #folder: string
  #wasRead = false
  #restsUntil = -Infinity
  #restsAgainAt = -Infinity

  constructor(files: Files, device: string) {
    this.#files = files
    this.#folder = `${device}/power`
  }

  /** `isIdle`: it did nothing when it was last read, and nobody that we know of is on it. */
  stateAt(nowSeconds: number, isIdle: boolean): 'asleep' | 'left alone' | 'to be read' {
    if (lineIn(this.#files, `${this.#folder}/runtime_status`).startsWith('suspend')) {
      this.#wasRead = false
      this.#restsUntil = this.#restsAgainAt = -Infinity
      return 'asleep'
    }
    if (isIdle && this.#wasRead && nowSeconds >= this.#restsAgainAt && this.#maySleep())
      this.#rest(nowSeconds)
    if (isIdle && nowSeconds < this.#restsUntil) return 'left alone'
    this.#wasRead = true
    return 'to be read'
  }

  #rest(nowSeconds: number): void {
    const delaySeconds = this.#delaySeconds()
    if (delaySeconds > longestDelaySeconds) return
    this.#restsUntil = nowSeconds + delaySeconds + slackSeconds
    this.#restsAgainAt = this.#restsUntil + tryAgainSeconds
  }

  #maySleep(): boolean {
    return lineIn(this.#files, `${this.#folder}/control`) === 'auto'
  }

  #delaySeconds(): number {
    const told = lineIn(this.#files, `${this.#folder}/autosuspend_delay_ms`)
    // Less than 0 keeps it awake for good.
    if (told.startsWith('-')) return Infinity
    return /^\d+$/.test(told) ? Number(told) / 1000 : usualDelaySeconds
  }
}
