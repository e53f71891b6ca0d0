import type { CountedSample } from './held-counters.ts'
import { AttemptCollector, type AttemptCurves, type CurveSample } from './job-curves.ts'

/** So many samples may have their counters held at once: 40 bytes each. */
const mostHeldSamples = 2 ** 21

/** Jobs by their ids, from the first to the last. */
export interface JobRange {
  readonly first: number
  readonly last: number
}

type JobAttempts = Map<number, AttemptCollector>

/**
 * Thins the samples of many attempts at once, in one pass over them. What the CPU of an attempt was follows from all its
 * counters together, which take more memory than all else: where there is no room for those of all jobs, they are let go,
 * and are to be read again for some jobs at a time.
 */
export class CurveCollector {
  readonly #maxBuckets: number
  readonly #mostHeld: number
  readonly #jobs = new Map<number, JobAttempts>()
  /** Jobs whose counters are held. */
  readonly #holding = new Set<number>()
  #held = 0
  /** There was no room for the counters of all jobs. */
  #isFull = false
  /** Jobs whose counters were let go, by id. */
  #uncounted: number[] | undefined

  constructor(maxBuckets: number, mostHeld = mostHeldSamples) {
    this.#maxBuckets = maxBuckets
    this.#mostHeld = mostHeld
  }

  add(sample: CurveSample): void {
    this.#attemptOf(sample).add(sample, sample.cpuPercent)
  }

  /** A sample of a file that has counters: its `cpuPercent` is not used, and follows from them in `deriveCpu`. */
  addCounted(sample: CurveSample & CountedSample): void {
    const attempt = this.#attemptOf(sample)
    attempt.add(sample, Number.NaN)
    if (this.#isFull) return
    attempt.hold(sample)
    this.#holding.add(sample.jobId)
    this.#held += 1
    if (this.#held > this.#mostHeld && this.#holding.size > 1) this.#letGo()
  }

  /** Once all samples are there: what the counters that are held tell of the CPU. `coresOf`: of the machine that a job ran on. */
  deriveCpu(coresOf: (jobId: number) => number): void {
    for (const jobId of this.#holding)
      for (const attempt of this.#attemptsOf(jobId)) attempt.deriveCpu(coresOf(jobId))
    this.#holding.clear()
    this.#held = 0
  }

  /** The next jobs whose counters are to be read again, as many as there is room for; undefined where none is left. */
  nextUncounted(): JobRange | undefined {
    this.#uncounted ??= this.#isFull ? this.jobIds : []
    const [first] = this.#uncounted
    if (first === undefined) return undefined
    let samples = 0
    const end = this.#uncounted.findIndex((jobId) => {
      for (const attempt of this.#attemptsOf(jobId)) samples += attempt.samples
      return samples > this.#mostHeld
    })
    const jobs = this.#uncounted.splice(0, end < 0 ? this.#uncounted.length : Math.max(1, end))
    return { first, last: jobs.at(-1) ?? first }
  }

  /** A sample that was added before, read again for its counters. */
  addCounters(sample: CurveSample & CountedSample): void {
    const attempt = this.#jobs.get(sample.jobId)?.get(sample.attempt)
    if (attempt === undefined) return
    attempt.hold(sample, attempt.samples)
    this.#holding.add(sample.jobId)
  }

  /** Whether the samples of every attempt came in order of time: without that, means and rates are wrong. */
  get isOrdered(): boolean {
    for (const attempts of this.#jobs.values())
      for (const attempt of attempts.values()) if (!attempt.isOrdered) return false
    return true
  }

  get jobIds(): number[] {
    return [...this.#jobs.keys()].toSorted((a, b) => a - b)
  }

  curves(jobId: number): AttemptCurves[] {
    return [...(this.#jobs.get(jobId) ?? [])]
      .toSorted(([a], [b]) => a - b)
      .map(([attempt, collector]) => collector.curves(attempt))
  }

  #attemptOf({ jobId, attempt }: CurveSample): AttemptCollector {
    let attempts = this.#jobs.get(jobId)
    if (attempts === undefined) {
      attempts = new Map()
      this.#jobs.set(jobId, attempts)
    }
    let collector = attempts.get(attempt)
    if (collector === undefined) {
      collector = new AttemptCollector(this.#maxBuckets)
      attempts.set(attempt, collector)
    }
    return collector
  }

  #attemptsOf(jobId: number): Iterable<AttemptCollector> {
    return this.#jobs.get(jobId)?.values() ?? []
  }

  #letGo(): void {
    this.#isFull = true
    for (const jobId of this.#holding)
      for (const attempt of this.#attemptsOf(jobId)) attempt.letGoOfCounters()
    this.#holding.clear()
    this.#held = 0
  }
}
