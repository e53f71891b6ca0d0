import { unavailable, type Reading } from '../model/reading.ts'
import type { System } from '../system/system.ts'
import type { OpenGpus } from './gauges/gpu/open-gpus.ts'

/** What may be said of a machine without a card. */
const noCard = unavailable('no GPU: neither /dev/nvidiactl nor a card in /sys/class/drm is there')

/**
 * The cards of the machine, for all jobs together. Nothing is loaded or opened until a job has run for a while, and
 * nothing at all where there is no card.
 */
export class GpuWatch {
  readonly #system: System
  #found: Reading<OpenGpus> | 'opening' | undefined

  constructor(system: System) {
    this.#system = system
  }

  /** The cards, or why there are none; undefined while they are being opened. */
  find(): Reading<OpenGpus> | undefined {
    if (this.#found === undefined) this.#open()
    return this.#found === 'opening' ? undefined : this.#found
  }

  close(): void {
    if (this.#found !== undefined && this.#found !== 'opening' && this.#found.kind === 'ok')
      this.#found.value.close()
    this.#found = noCard
  }

  #open(): void {
    const { files, nvml } = this.#system
    const cards = files.list('/sys/class/drm')
    const hasDrm =
      cards.kind === 'ok'
        ? cards.value.some((name) => /^card\d+$/.test(name))
        : !files.isMissing('/dev/dri') || !files.isMissing('/dev/kfd')
    if (!hasDrm && !nvml.isLikely()) {
      this.#found = noCard
      return
    }
    this.#found = 'opening'
    void this.#load()
  }

  async #load(): Promise<void> {
    let found: Reading<OpenGpus>
    try {
      const { openGpus } = await import('./gauges/gpu/open-gpus.ts')
      found = await openGpus(this.#system)
    } catch (error) {
      // Even the code may be out of reach: jobmeter may have been upgraded while the job runs.
      found = { kind: 'failed', error: String(error) }
    }
    // Nobody is interested any more.
    if (this.#found !== 'opening' && found.kind === 'ok') found.value.close()
    else this.#found = found
  }
}
