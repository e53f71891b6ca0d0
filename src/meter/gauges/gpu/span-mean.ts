/** A mean over time: each value speaks of the time since the last. */
export class SpanMean {
  area = 0
  seconds = 0

  add(value: number, seconds: number): void {
    if (!(value >= 0) || !(seconds > 0)) return
    this.area += value * seconds
    this.seconds += seconds
  }

  /** What came in time that has been added already. */
  addLate(area: number): void {
    this.area += area
  }

  /** NaN where nothing was ever told. */
  get mean(): number {
    return this.seconds > 0 ? this.area / this.seconds : Number.NaN
  }

  /** What it adds up to; NaN likewise. */
  get sum(): number {
    return this.seconds > 0 ? this.area : Number.NaN
  }
}
