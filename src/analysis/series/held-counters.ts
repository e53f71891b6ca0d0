import { cpuPercents } from '../../model/cpu/cpu-percents.ts'
import { measuredValue } from './sample-value.ts'

/** A sample with the CPU counters of an attempt; NaN is "not measured". */
export interface CountedSample {
  readonly timestamp: number
  readonly elapsedSeconds: number
  readonly cpuUserSeconds: number
  readonly cpuSystemSeconds: number
  readonly threads: number
}

const fewestSamples = 32
/** What is kept of a sample: its time and its counters. */
const width = 5

/** Holds the CPU counters of an attempt until all are there: only then do they tell its CPU in percent. */
export class HeldCounters {
  #values: Float64Array
  #length = 0

  /** `samples`: as many as will come, where that is known. */
  constructor(samples = fewestSamples) {
    this.#values = new Float64Array(samples * width)
  }

  get length(): number {
    return this.#length
  }

  add(sample: CountedSample): void {
    const at = this.#length * width
    if (at === this.#values.length) this.#grow()
    this.#values[at] = sample.timestamp
    this.#values[at + 1] = measuredValue(sample.elapsedSeconds) ?? Number.NaN
    this.#values[at + 2] = measuredValue(sample.cpuUserSeconds) ?? Number.NaN
    this.#values[at + 3] = measuredValue(sample.cpuSystemSeconds) ?? Number.NaN
    this.#values[at + 4] = measuredValue(sample.threads) ?? Number.NaN
    this.#length += 1
  }

  /** Shows the percentage at each timestamp, in the order in which samples came. */
  eachPercent(cores: number, visit: (timestamp: number, percent: number) => void): void {
    const counters = {
      elapsedSeconds: this.#column(1),
      userSeconds: this.#column(2),
      systemSeconds: this.#column(3),
      threads: this.#column(4),
    }
    for (const [row, percent] of cpuPercents(counters, cores).entries())
      visit(this.#values[row * width] ?? Number.NaN, percent)
  }

  #column(column: number): Float64Array {
    const values = new Float64Array(this.#length)
    for (let row = 0; row < this.#length; row += 1)
      values[row] = this.#values[row * width + column] ?? Number.NaN
    return values
  }

  /** By half: as many jobs grow at once as there are, and what they do not fill is memory too. */
  #grow(): void {
    const samples = Math.max(fewestSamples, Math.floor(this.#length * 1.5))
    const larger = new Float64Array(samples * width)
    larger.set(this.#values)
    this.#values = larger
  }
}
