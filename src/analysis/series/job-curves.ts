import { CounterRate } from '../../model/counter-rate.ts'
import { Decimator, type Curve } from './decimate.ts'
import { HeldCounters, type CountedSample } from './held-counters.ts'

/** A sample as series files have it; NaN is "not measured". */
export interface CurveSample {
  readonly jobId: number
  readonly attempt: number
  readonly timestamp: number
  readonly cpuPercent: number
  readonly memoryBytes: number
  readonly processes: number
  readonly readBytes: number
  readonly writeBytes: number
}

export const curveMetrics = [
  'cpuPercent',
  'memoryBytes',
  'processes',
  'readBytesPerSecond',
  'writeBytesPerSecond',
] as const

export type CurveMetric = (typeof curveMetrics)[number]

/** One attempt of a job over time, thinned so that it can be drawn. */
export interface AttemptCurves {
  readonly attempt: number
  readonly startedAt: number
  readonly endedAt: number
  readonly samples: number
  readonly metrics: Readonly<Record<CurveMetric, MetricCurve>>
}

export interface MetricCurve extends Curve {
  /** null where nothing was measured. */
  readonly peak: number | null
  /** Over time, not over samples: those are closer to each other in a job's first second. */
  readonly mean: number | null
}

/** Thins the samples of one attempt as they come. */
export class AttemptCollector {
  isOrdered = true
  readonly #gauges: Readonly<Record<CurveMetric, MetricCollector>>
  readonly #read = new CounterRate()
  readonly #write = new CounterRate()
  #counters: HeldCounters | undefined
  #samples = 0
  #startedAt = Number.NaN
  #endedAt = Number.NaN

  constructor(maxBuckets: number) {
    const metric = () => new MetricCollector(maxBuckets)
    this.#gauges = {
      cpuPercent: metric(),
      memoryBytes: metric(),
      processes: metric(),
      readBytesPerSecond: metric(),
      writeBytesPerSecond: metric(),
    }
  }

  add(sample: CurveSample, cpuPercent: number): void {
    const { timestamp, memoryBytes, processes, readBytes, writeBytes } = sample
    if (this.#samples === 0) this.#startedAt = timestamp
    else if (timestamp < this.#endedAt) this.isOrdered = false
    this.#endedAt = timestamp
    this.#samples += 1
    const gauges = this.#gauges
    gauges.cpuPercent.add(timestamp, cpuPercent)
    gauges.memoryBytes.add(timestamp, memoryBytes)
    gauges.processes.add(timestamp, processes)
    // Most samples and many files have none.
    if (!Number.isNaN(readBytes))
      gauges.readBytesPerSecond.add(timestamp, this.#read.next(timestamp, readBytes))
    if (!Number.isNaN(writeBytes))
      gauges.writeBytesPerSecond.add(timestamp, this.#write.next(timestamp, writeBytes))
  }

  get samples(): number {
    return this.#samples
  }

  /** The counters of a sample that was added. `samples`: how many will come, where that is known. */
  hold(sample: CountedSample, samples?: number): void {
    this.#counters ??= new HeldCounters(samples)
    // What was written since the file was first read is in none of the other curves.
    if (this.#counters.length < this.#samples) this.#counters.add(sample)
  }

  letGoOfCounters(): void {
    this.#counters = undefined
  }

  /** What the counters that are held tell of the CPU. They are let go. */
  deriveCpu(cores: number): void {
    const { cpuPercent } = this.#gauges
    this.#counters?.eachPercent(cores, (timestamp, percent) => cpuPercent.add(timestamp, percent))
    this.letGoOfCounters()
  }

  curves(attempt: number): AttemptCurves {
    const gauges = this.#gauges
    return {
      attempt,
      startedAt: this.#startedAt,
      endedAt: this.#endedAt,
      samples: this.#samples,
      metrics: {
        cpuPercent: gauges.cpuPercent.curve(),
        memoryBytes: gauges.memoryBytes.curve(),
        processes: gauges.processes.curve(),
        readBytesPerSecond: gauges.readBytesPerSecond.curve(),
        writeBytesPerSecond: gauges.writeBytesPerSecond.curve(),
      },
    }
  }
}

class MetricCollector {
  readonly #decimator: Decimator
  #time = Number.NaN
  #first = Number.NaN
  #peak = Number.NaN
  #weightedSum = 0
  #seconds = 0

  constructor(maxBuckets: number) {
    this.#decimator = new Decimator(maxBuckets)
  }

  add(time: number, value: number): void {
    if (!Number.isFinite(value)) return
    this.#decimator.add(time, value)
    if (!(value <= this.#peak)) this.#peak = value
    const seconds = time - this.#time
    this.#time = time
    if (Number.isNaN(seconds)) this.#first = value
    else if (seconds > 0) {
      // A rate covers the time since the sample before it; a gauge is taken to have stood so.
      this.#weightedSum += value * seconds
      this.#seconds += seconds
    }
  }

  curve(): MetricCurve {
    const mean = this.#seconds > 0 ? this.#weightedSum / this.#seconds : this.#first
    return {
      ...this.#decimator.curve(),
      peak: Number.isNaN(this.#peak) ? null : this.#peak,
      mean: Number.isNaN(mean) ? null : mean,
    }
  }
}
