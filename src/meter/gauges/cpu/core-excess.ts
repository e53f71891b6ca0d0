import { leastSlackSeconds } from '../../../model/cpu-room.ts'

/**
 * How far the CPU time of a job ever went beyond what so many cores give. Ticks and readings that are a moment late make a
 * second of one core seem a little more, and the next one less: that never adds up, whereas what more than one thread
 * used does. In bursts it does not add up either, so no more than two ticks are ever taken for ticks, on any number of
 * cores.
 */
export class CoreExcess {
  /** By whole cores: what was used beyond them up to now, and the most of that at any time. */
  readonly #now: Float64Array
  readonly #most: Float64Array
  #elapsedSeconds = 0
  #cpuSeconds = 0

  constructor(cores: number) {
    this.#now = new Float64Array(cores + 1)
    this.#most = new Float64Array(cores + 1)
  }

  add(elapsedSeconds: number, cpuSeconds: number): void {
    const seconds = elapsedSeconds - this.#elapsedSeconds
    const used = cpuSeconds - this.#cpuSeconds
    this.#elapsedSeconds = elapsedSeconds
    this.#cpuSeconds = cpuSeconds
    for (let cores = 1; cores < this.#now.length; cores += 1) {
      const now = Math.max(0, (this.#now[cores] ?? 0) + used - cores * seconds)
      this.#now[cores] = now
      if (now > (this.#most[cores] ?? 0)) this.#most[cores] = now
    }
  }

  /** A mean over a second or more, in percent, without what only seems more than whole cores. */
  without(percent: number): number {
    const cores = Math.floor(percent / 100)
    const isReal = (this.#most[cores] ?? Infinity) > leastSlackSeconds
    return cores === 0 || isReal ? percent : 100 * cores
  }
}
