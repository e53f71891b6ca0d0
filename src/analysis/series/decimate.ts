/** Points of a series in order of time; both arrays are as long as each other. */
export interface Curve {
  readonly times: Float64Array
  readonly values: Float64Array
}

/** Time and value of the least, then of the greatest sample of a bucket. */
const bucketWidth = 4
const firstBuckets = 32

/**
 * Thins a series while it is read, and loses no peak: samples fall into buckets, of which each keeps its least and
 * its greatest. Where the buckets run out, neighbours are joined and take twice as many samples from then on, so
 * that a series of any length fits into the same memory. A series with no more samples than buckets is kept whole.
 */
export class Decimator {
  readonly #maxBuckets: number
  #buckets = new Float64Array(firstBuckets * bucketWidth)
  /** Buckets in use; the last one may still be filling. */
  #used = 0
  #samplesPerBucket = 1
  #inLast = 0
  #first: readonly [number, number] | undefined
  #lastTime = Number.NaN
  #lastValue = Number.NaN

  constructor(maxBuckets: number) {
    // An even number: joining leaves no bucket without a neighbour.
    this.#maxBuckets = Math.max(2, maxBuckets - (maxBuckets % 2))
  }

  /** What is not a number was not measured, and is no sample. */
  add(time: number, value: number): void {
    if (!Number.isFinite(time) || !Number.isFinite(value)) return
    this.#first ??= [time, value]
    this.#lastTime = time
    this.#lastValue = value
    if (this.#used > 0 && this.#inLast < this.#samplesPerBucket) this.#widen(time, value)
    else this.#open(time, value)
  }

  /** What is left: at most two points a bucket, and the first and the last sample. */
  curve(): Curve {
    const times: number[] = []
    const values: number[] = []
    const put = (time: number, value: number) => {
      if (times.at(-1) === time && values.at(-1) === value) return
      times.push(time)
      values.push(value)
    }
    if (this.#first !== undefined) put(...this.#first)
    for (let at = 0; at < this.#used * bucketWidth; at += bucketWidth) {
      const [lowTime = 0, low = 0, highTime = 0, high = 0] = this.#buckets.subarray(at)
      if (lowTime <= highTime) {
        put(lowTime, low)
        put(highTime, high)
      } else {
        put(highTime, high)
        put(lowTime, low)
      }
    }
    if (this.#first !== undefined) put(this.#lastTime, this.#lastValue)
    return { times: Float64Array.from(times), values: Float64Array.from(values) }
  }

  #open(time: number, value: number): void {
    if (this.#used === this.#maxBuckets) this.#join()
    const at = this.#used * bucketWidth
    if (at === this.#buckets.length) this.#grow()
    this.#buckets.set([time, value, time, value], at)
    this.#used += 1
    this.#inLast = 1
  }

  #widen(time: number, value: number): void {
    const buckets = this.#buckets
    const at = (this.#used - 1) * bucketWidth
    this.#inLast += 1
    if (value < (buckets[at + 1] ?? value)) {
      buckets[at] = time
      buckets[at + 1] = value
    } else if (value > (buckets[at + 3] ?? value)) {
      buckets[at + 2] = time
      buckets[at + 3] = value
    }
  }

  #join(): void {
    const buckets = this.#buckets
    for (let pair = 0; pair < this.#used / 2; pair++) {
      const from = pair * 2 * bucketWidth
      const to = pair * bucketWidth
      const next = from + bucketWidth
      const low = (buckets[next + 1] ?? 0) < (buckets[from + 1] ?? 0) ? next : from
      const high = (buckets[next + 3] ?? 0) > (buckets[from + 3] ?? 0) ? next : from
      const joined = [low, low + 1, high + 2, high + 3].map((index) => buckets[index] ?? 0)
      buckets.set(joined, to)
    }
    this.#used /= 2
    this.#samplesPerBucket *= 2
  }

  #grow(): void {
    const larger = new Float64Array(
      Math.min(this.#buckets.length * 2, this.#maxBuckets * bucketWidth),
    )
    larger.set(this.#buckets)
    this.#buckets = larger
  }
}

/** A curve with fewer points yet, for a chart that shows many of them. */
export function thinner({ times, values }: Curve, maxBuckets: number): Curve {
  const decimator = new Decimator(maxBuckets)
  for (const [index, time] of times.entries()) decimator.add(time, values[index] ?? Number.NaN)
  return decimator.curve()
}
