import type { LiveSample } from '../profile/live-meter.ts'

/** A rate is missing at the first looks of all; what is still missing after this time is not to be had. */
const patienceSeconds = 1

/** Says once of each sensor that it tells nothing. */
export class SensorWarnings {
  readonly #settled = new Set<string>()
  readonly #waiting = new Map<string, string>()
  readonly #warn: (message: string) => void

  constructor(warn: (message: string) => void) {
    this.#warn = warn
  }

  take({ metrics, unavailable, elapsedSeconds }: LiveSample): void {
    for (const name of this.#waiting.keys()) if (name in metrics) this.#waiting.delete(name)
    for (const [name, why] of Object.entries(unavailable))
      if (!this.#settled.has(name)) this.#waiting.set(name, why)
    if (this.#waiting.size > 0 && elapsedSeconds >= patienceSeconds) this.tellRest()
  }

  /** At the end of a training that was too short to wait. */
  tellRest(): void {
    const byReason = Map.groupBy(this.#waiting, ([, why]) => why)
    for (const [why, found] of byReason) {
      const names = found.map(([name]) => name)
      for (const name of names) this.#settled.add(name)
      this.#warn(`not measured: ${names.join(', ')} (${why})`)
    }
    this.#waiting.clear()
  }
}
