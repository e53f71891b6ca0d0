import { whyNot } from '../model/reading.ts'
import type { FollowedGauge, Gauge, MeteredJob } from '../meter/gauges/gauge.ts'
import type { GpuCard } from '../sensors/gpu/gpu-card.ts'
import { LiveLook } from './live-look.ts'

/** What a live meter sees of the job that it follows: a gauge that comes after all others and notes what they saw. */
export class LiveView {
  readonly now = new LiveLook()
  #job: MeteredJob | undefined
  #readsMachine: boolean

  constructor(readsMachine: boolean) {
    this.#readsMachine = readsMachine
  }

  /** To be followed with. */
  get gauge(): Gauge<never, never> {
    return {
      name: 'live',
      ...(this.#readsMachine ? { reads: ['machine'] } : {}),
      columns: [],
      figures: [],
      follow: (job) => this.#follow(job),
    }
  }

  /** All cards of the machine, looked at if that is due; or why there are none. */
  lookAtCards(): readonly GpuCard[] | string {
    const found = this.#job?.gpus.find()
    if (found === undefined) return 'the GPUs are still being opened'
    return found.kind === 'ok' ? found.value.look() : whyNot(found)
  }

  #follow(job: MeteredJob): FollowedGauge<never, never> {
    this.#job = job
    this.now.cores = job.system.host.onlineCores
    const machine = this.#readsMachine ? job.machine.usage : null
    return {
      look: (row, _at, elapsedSeconds) => this.now.take(row, elapsedSeconds, machine),
      figures: () => ({}),
    }
  }
}
