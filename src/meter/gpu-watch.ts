import type { Reading } from '../model/reading.ts'
import type { System } from '../system/system.ts'
import type { OpenGpus } from './gauges/gpu/open-gpus.ts'
import { noCard, SharedGpus } from './shared-gpus.ts'

/**
 * The cards of the machine, for all jobs of a meter together. Nothing is loaded or opened until a job has run for a while, and
 * nothing at all where there is no card.
 */
export class GpuWatch {
  readonly #system: System
  #gpus: SharedGpus | undefined
  #isClosed = false

  constructor(system: System) {
    this.#system = system
  }

  /** The cards, or why there are none; undefined while they are being opened. */
  find(): Reading<OpenGpus> | undefined {
    if (this.#isClosed) return noCard
    this.#gpus ??= SharedGpus.join(this.#system)
    return this.#gpus.found
  }

  /** Resolves when `find` has an answer. */
  async settled(): Promise<void> {
    this.find()
    await this.#gpus?.opened
  }

  close(): void {
    this.#isClosed = true
    this.#gpus?.leave()
    this.#gpus = undefined
  }
}
