import { gpuFigures } from '../../model/gpu-usage.ts'
import { unmeasured, type Measured } from '../../model/measured.ts'
import { whyNot } from '../../model/reading.ts'
import type { FollowedEnd, FollowedGauge, Gauge, MeteredJob } from './gauge.ts'
import { environmentOf } from './gpu/job-environment.ts'
import type { JobGpus } from './gpu/job-gpus.ts'

/** A job that is over sooner has not used a card: a program takes longer to open one. */
const settledSeconds = 0.3
/** Opening the driver takes a moment; a job that is over sooner than this after it was tried has nothing to say of it. */
const longestOpeningSeconds = 2

/** At looks and glances that are a fifth of a second apart or more: every card, and the processes on it. */
export const gpuGauge: Gauge<never> = {
  name: 'gpu',
  columns: [],
  figures: gpuFigures,
  follow: (job) => new FollowedGpus(job),
}

class FollowedGpus implements FollowedGauge<never> {
  readonly #job: MeteredJob
  #gpus: JobGpus | undefined
  #whyNone: string | undefined
  /** Of the main process, read while it is sure to live. */
  #environment: string | undefined
  /** When the job began, by the clock. */
  #begunAt: number

  constructor(job: MeteredJob) {
    this.#job = job
    this.#begunAt = job.system.clock.monotonicSeconds()
  }

  ask(): void {
    this.#gpus?.ask()
  }

  /** Samples may be far apart, and a card tells no counters: it is looked at every second all the same. */
  glance(): void {
    if (this.#whyNone !== undefined) return
    const elapsedSeconds = this.#job.system.clock.monotonicSeconds() - this.#begunAt
    this.#found(elapsedSeconds)?.look(elapsedSeconds, 'no row')
  }

  look(_row: Float64Array, _at: object, elapsedSeconds: number): void {
    if (this.#whyNone !== undefined) return
    this.#begunAt = this.#job.system.clock.monotonicSeconds() - elapsedSeconds
    this.#found(elapsedSeconds)?.look(elapsedSeconds, 'row')
  }

  figures(end: FollowedEnd): Readonly<Record<string, Measured>> {
    if (this.#gpus !== undefined) return this.#gpus.figures(end.durationSeconds)
    if (this.#whyNone !== undefined) return { gpuUtilizationPercentMean: unmeasured(this.#whyNone) }
    const why = this.#whyNoneYet(end.durationSeconds)
    if (why === undefined) return {}
    // There may be cards: whether any was the job's is a question of its own.
    return { gpuCards: unmeasured(why), gpuUtilizationPercentMean: unmeasured(why) }
  }

  #whyNoneYet(durationSeconds: number): string | undefined {
    const seconds = durationSeconds - settledSeconds
    if (seconds < longestOpeningSeconds || this.#job.gpus.find() !== undefined) return undefined
    return `the GPU driver did not answer for ${seconds.toFixed(0)} s`
  }

  #found(elapsedSeconds: number): JobGpus | undefined {
    if (this.#gpus !== undefined || elapsedSeconds < settledSeconds) return this.#gpus
    const found = this.#job.gpus.find()
    if (found !== undefined && found.kind !== 'ok') {
      this.#whyNone = whyNot(found)
      return undefined
    }
    this.#environment ??= environmentOf(this.#job.system.files, this.#job.request.rootPid)
    if (found !== undefined) this.#gpus = found.value.follow(this.#job, this.#environment)
    return this.#gpus
  }
}
