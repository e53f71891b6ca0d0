/** Cores that work off what comes, one thing each, the first that came first. */
export class Cores {
  /** When each is free again, in no order. */
  readonly #free: Float64Array
  busySeconds = 0

  constructor(count: number) {
    this.#free = new Float64Array(count)
  }

  /** When something is done that comes now and takes so long. */
  done(now: number, seconds: number): number {
    let place = 0
    for (let core = 1; core < this.#free.length; core += 1)
      if ((this.#free[core] ?? 0) < (this.#free[place] ?? 0)) place = core
    const end = Math.max(now, this.#free[place] ?? 0) + seconds
    this.#free[place] = end
    this.busySeconds += seconds
    return end
  }
}
