import { measured, unmeasured, type Measured } from '../../../model/measured.ts'
import type { Host } from '../../../system/system.ts'
import type { ProcessReader } from '../../process-reader.ts'

/**
 * What the runtime itself takes for one container: the process that started it and stays beside it (`containerd-shim`,
 * `conmon`), with what that one waited for until the container ran (`runc`). What it waits for later is not counted: all
 * that `docker exec` runs inside the container is among it. Nor is the daemon, which serves all containers.
 */
export class RuntimeCost {
  readonly #reader: ProcessReader
  readonly #host: Host
  readonly #mainPid: number
  readonly #shimPid: number
  readonly #ranBefore: boolean
  /** Of a container that ran before, what had been used at the first look. */
  #ticksBefore = NaN
  /** Of one that was started for the job, what starting it took besides. */
  #ticksOfStart = 0
  #cpuSeconds = NaN
  #peakBytes = NaN

  constructor(reader: ProcessReader, host: Host, mainPid: number, ranBefore: boolean) {
    this.#reader = reader
    this.#host = host
    this.#mainPid = mainPid
    this.#ranBefore = ranBefore
    this.#shimPid = reader.identify(mainPid)?.parentPid ?? 0
  }

  look(): void {
    const { ticksPerSecond, pageBytes } = this.#host
    if (this.#shimPid <= 1) return
    const shim = this.#reader.identify(this.#shimPid)
    if (shim === undefined) return
    const ownTicks = shim.userTicks + shim.systemTicks
    const reapedTicks = shim.childUserTicks + shim.childSystemTicks
    const bytes = shim.residentPages * pageBytes
    // Once the container has ended, all that it used is in the counters of who waited for it.
    if (this.#reader.identify(this.#mainPid)?.parentPid !== this.#shimPid) return
    if (Number.isNaN(this.#ticksBefore)) {
      this.#ticksBefore = this.#ranBefore ? ownTicks : 0
      this.#ticksOfStart = this.#ranBefore ? 0 : reapedTicks
    }
    const since = (ownTicks - this.#ticksBefore + this.#ticksOfStart) / ticksPerSecond
    this.#cpuSeconds = Math.max(this.#cpuSeconds || 0, since)
    this.#peakBytes = Math.max(this.#peakBytes || 0, bytes)
  }

  figures(): Readonly<
    Record<'containerOverheadCpuSeconds' | 'containerOverheadMemoryBytes', Measured>
  > {
    const basis = `/proc/PID/stat of the runtime's process beside the container, at the last full look`
    const figure = (value: number): Measured =>
      this.#shimPid <= 1
        ? unmeasured('no process of the runtime is beside the container')
        : measured(value, basis)
    return {
      containerOverheadCpuSeconds: figure(this.#cpuSeconds),
      containerOverheadMemoryBytes: figure(this.#peakBytes),
    }
  }
}
