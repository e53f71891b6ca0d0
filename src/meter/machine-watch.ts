import { MachineSensor, MachineUsage } from '../sensors/machine-sensor.ts'
import type { System } from '../system/system.ts'

/** One look at the whole machine serves every job that is looked at in the same moment. */
const sameMomentSeconds = 0.05

/** The whole machine, watched for all jobs together. */
export class MachineWatch {
  readonly usage = new MachineUsage()
  /** Whether the kernel keeps the time that tasks wait for block I/O (off by default since Linux 5.14). */
  readonly delayAccounting: boolean
  readonly #system: System
  readonly #sensor: MachineSensor
  readonly #memoryTotal = new TwiceTold()
  readonly #swapTotal = new TwiceTold()
  #lookedAt = -Infinity

  constructor(system: System) {
    this.#system = system
    this.#sensor = new MachineSensor(system)
    const setting = system.files.readText('/proc/sys/kernel/task_delayacct')
    // Older kernels have no such file and kept account always.
    this.delayAccounting = setting.kind !== 'ok' || setting.value.trim() === '1'
    this.look()
  }

  look(): void {
    const now = this.#system.clock.monotonicSeconds()
    if (now - this.#lookedAt < sameMomentSeconds) return
    this.#lookedAt = now
    const { usage } = this
    this.#sensor.read(usage)
    const told = usage.totalMemoryBytes
    usage.totalMemoryBytes = this.#memoryTotal.take(told)
    usage.swapTotalBytes = this.#swapTotal.take(usage.swapTotalBytes)
    // What stands beside a garbled total is no better.
    if (told !== usage.totalMemoryBytes) usage.usedMemoryBytes = NaN
  }

  close(): void {
    this.#sensor.close()
  }
}

/** What a machine has hardly ever changes: another figure than before is believed when it is told twice. */
class TwiceTold {
  #believed = NaN
  #before = NaN

  take(told: number): number {
    if (told === this.#before || Number.isNaN(this.#believed)) this.#believed = told
    this.#before = told
    return this.#believed
  }
}
