import { gpuFigures } from '../../model/gpu-usage.ts'
import { unmeasured, type Measured } from '../../model/measured.ts'
import { whyNot } from '../../model/reading.ts'
import type { FollowedEnd, FollowedGauge, Gauge, MeteredJob } from './gauge.ts'
import type { JobGpus } from './gpu/job-gpus.ts'

/** A job that is over sooner has not used a card: a program takes longer to open one. */
const settledSeconds = 0.3

/** At looks that are a fifth of a second apart or more: every card, and the processes on it. */
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

  constructor(job: MeteredJob) {
    this.#job = job
  }

  look(_row: Float64Array, _at: object, elapsedSeconds: number): void {
    if (this.#whyNone !== undefined || elapsedSeconds < settledSeconds) return
    if (this.#gpus === undefined) {
      const found = this.#job.gpus.find()
      if (found === undefined) return
      if (found.kind !== 'ok') {
        this.#whyNone = whyNot(found)
        return
      }
      this.#gpus = found.value.follow(this.#job)
    }
    this.#gpus.look(elapsedSeconds)
  }

  figures(end: FollowedEnd): Readonly<Record<string, Measured>> {
    if (this.#gpus !== undefined) return this.#gpus.figures(end.durationSeconds)
    return this.#whyNone === undefined
      ? {}
      : { gpuUtilizationPercentMean: unmeasured(this.#whyNone) }
  }
}
