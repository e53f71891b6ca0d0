import { unavailable, type Reading } from '../model/reading.ts'
import type { System } from '../system/system.ts'
import type { OpenGpus } from './gauges/gpu/open-gpus.ts'

/** What may be said of a machine without a card. */
export const noCard = unavailable(
  'no GPU: neither /dev/nvidiactl nor a card in /sys/class/drm is there',
)

/** By what stays the same where a machine is seen with another clock. */
const machines = new WeakMap<System['processes'], SharedGpus>()

/** The cards of a machine, opened once for all that watch them: to ask for NVIDIA's takes a process of its own. */
export class SharedGpus {
  /** undefined while they are being opened. */
  found: Reading<OpenGpus> | undefined
  readonly opened: Promise<void>
  #users = 0

  /** To be left again. */
  static join(system: System): SharedGpus {
    const known = machines.get(system.processes)
    const gpus = known?.isOfUse === true ? known : new SharedGpus(system)
    machines.set(system.processes, gpus)
    gpus.#users += 1
    return gpus
  }

  private constructor(system: System) {
    this.found = mayHaveCards(system) ? undefined : noCard
    this.opened = this.found === undefined ? this.#load(system) : Promise.resolve()
  }

  /** Else who comes now tries again. */
  get isOfUse(): boolean {
    if (this.#users === 0) return false
    return this.found === undefined || (this.found.kind === 'ok' && this.found.value.isReadable)
  }

  leave(): void {
    this.#users -= 1
    this.#closeUnused()
  }

  async #load(system: System): Promise<void> {
    try {
      const { openGpus } = await import('./gauges/gpu/open-gpus.ts')
      this.found = await openGpus(system)
    } catch (error) {
      // Even the code may be out of reach: jobmeter may have been upgraded while the job runs.
      this.found = { kind: 'failed', error: String(error) }
    }
    this.#closeUnused()
  }

  #closeUnused(): void {
    if (this.#users === 0 && this.found?.kind === 'ok') this.found.value.close()
  }
}

function mayHaveCards({ files, nvml }: System): boolean {
  const cards = files.list('/sys/class/drm')
  const hasDrm =
    cards.kind === 'ok'
      ? cards.value.some((name) => /^card\d+$/.test(name))
      : !files.isMissing('/dev/dri') || !files.isMissing('/dev/kfd')
  return hasDrm || nvml.isLikely()
}
