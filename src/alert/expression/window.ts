/** So many points stand for any window: what comes closer together is averaged. */
const mostPoints = 120

/** Values over the last so many seconds. */
export class Window {
  readonly #seconds: number
  readonly #times = new Float64Array(mostPoints)
  readonly #values = new Float64Array(mostPoints)
  /** How many values the newest point is the mean of. */
  #inNewest = 0
  #newestBegan = -Infinity
  #first = 0
  #count = 0

  constructor(seconds: number) {
    this.#seconds = seconds
  }

  add(value: number, at: number): void {
    this.#dropBefore(at - this.#seconds)
    const step = this.#seconds / (mostPoints - 1)
    if (this.#count > 0 && at - this.#newestBegan < step) {
      const newest = this.#place(this.#count - 1)
      this.#inNewest += 1
      this.#values[newest] =
        this.#valueAt(newest) + (value - this.#valueAt(newest)) / this.#inNewest
      this.#times[newest] = at
      return
    }
    if (this.#count === mostPoints) this.#dropOne()
    const place = this.#place(this.#count)
    this.#count += 1
    this.#times[place] = at
    this.#values[place] = value
    this.#inNewest = 1
    this.#newestBegan = at
  }

  /** Whether it holds values of nearly all the time that it is for. */
  get isFilled(): boolean {
    return this.#count >= 3 && this.#spanSeconds >= this.#seconds * 0.8
  }

  get mean(): number {
    return this.#fold((sum, value) => sum + value, 0) / this.#count
  }

  get lowest(): number {
    return this.#fold(Math.min, Infinity)
  }

  get highest(): number {
    return this.#fold(Math.max, -Infinity)
  }

  get values(): Float64Array {
    return Float64Array.from({ length: this.#count }, (_, at) => this.#valueAt(this.#place(at)))
  }

  /** By least squares, a second, over the latest part of it. */
  slope(share = 1): number {
    const from = this.#timeAt(this.#place(this.#count - 1)) - share * this.#seconds
    let count = 0
    let meanTime = 0
    let meanValue = 0
    for (let at = 0; at < this.#count; at++) {
      const place = this.#place(at)
      if (this.#timeAt(place) < from) continue
      count += 1
      meanTime += (this.#timeAt(place) - meanTime) / count
      meanValue += (this.#valueAt(place) - meanValue) / count
    }
    let products = 0
    let squares = 0
    for (let at = 0; at < this.#count; at++) {
      const place = this.#place(at)
      const time = this.#timeAt(place)
      if (time < from) continue
      products += (time - meanTime) * (this.#valueAt(place) - meanValue)
      squares += (time - meanTime) ** 2
    }
    return count >= 3 && squares > 0 ? products / squares : Number.NaN
  }

  get #spanSeconds(): number {
    return this.#timeAt(this.#place(this.#count - 1)) - this.#timeAt(this.#first)
  }

  #fold(join: (sum: number, value: number) => number, start: number): number {
    let sum = start
    for (let at = 0; at < this.#count; at++) sum = join(sum, this.#valueAt(this.#place(at)))
    return this.#count === 0 ? Number.NaN : sum
  }

  #dropBefore(time: number): void {
    while (this.#count > 0 && this.#timeAt(this.#first) < time) this.#dropOne()
  }

  #dropOne(): void {
    this.#first = this.#place(1)
    this.#count -= 1
  }

  #place(at: number): number {
    return (this.#first + at + mostPoints) % mostPoints
  }

  #timeAt(place: number): number {
    return this.#times[place] ?? Number.NaN
  }

  #valueAt(place: number): number {
    return this.#values[place] ?? Number.NaN
  }
}
