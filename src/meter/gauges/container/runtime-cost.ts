import { measured, unmeasured, type Measured } from '../../../model/measured.ts'
import type { Host } from '../../../system/system.ts'
import type { ProcessReader } from '../../process-reader.ts'

/**
 * What the runtime itself takes for one container: the process that started it and stays beside it (`containerd-shim`,
 * `conmon`), with what that one started and waited for (`runc`). The daemon serves all containers and is not counted.
 */
export class RuntimeCost {
  readonly #reader: ProcessReader
  readonly #host: Host
  readonly #mainPid: number
  readonly #shimPid: number
  #cpuSeconds = NaN
  #peakBytes = NaN

  constructor(reader: ProcessReader, host: Host, mainPid: number) {
    this.#reader = reader
    this.#host = host
    this.#mainPid = mainPid
    this.#shimPid = reader.identify(mainPid)?.parentPid ?? 0
  }

  look(): void {
    const { ticksPerSecond, pageBytes } = this.#host
    if (this.#shimPid <= 1) return
    const shim = this.#reader.identify(this.#shimPid)
    if (shim === undefined) return
    const ticks = shim.userTicks + shim.systemTicks + shim.childUserTicks + shim.childSystemTicks
    const bytes = shim.residentPages * pageBytes
    // Once the container has ended, all that it used is in the counters of who waited for it.
    if (this.#reader.identify(this.#mainPid)?.parentPid !== this.#shimPid) return
    this.#cpuSeconds = Math.max(this.#cpuSeconds || 0, ticks / ticksPerSecond)
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
