import { Loadavg, parseLoadavg } from '../../sensors/procfs/loadavg.ts'
import { MachineStat, parseMachineStat } from '../../sensors/procfs/machine-stat.ts'
import { ReadBuffer } from '../../sensors/read-buffer.ts'
import type { System } from '../../system/system.ts'

/** How many tasks (processes and their threads) ended: those that began and are not there any more. */
export class TaskCount {
  readonly #system: System
  readonly #buffer = new ReadBuffer()
  readonly #stat = new MachineStat()
  readonly #loadavg = new Loadavg()
  #endedEver: number

  constructor(system: System) {
    this.#system = system
    this.#endedEver = this.#read()
  }

  /** Since this was last asked; 0 where the kernel does not tell. */
  endedSince(): number {
    const before = this.#endedEver
    this.#endedEver = this.#read()
    const ended = this.#endedEver - before
    return ended > 0 ? ended : 0
  }

  #read(): number {
    const stat = this.#buffer.readPath(this.#system.files, '/proc/stat')
    const { ticksPerSecond } = this.#system.host
    if (!parseMachineStat(this.#buffer.bytes, stat, ticksPerSecond, this.#stat)) return Number.NaN
    const load = this.#buffer.readPath(this.#system.files, '/proc/loadavg')
    if (!parseLoadavg(this.#buffer.bytes, load, this.#loadavg)) return Number.NaN
    return this.#stat.forks - this.#loadavg.existing
  }
}
