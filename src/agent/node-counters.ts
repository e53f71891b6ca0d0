import { MachineSensor, MachineUsage } from '../sensors/machine-sensor.ts'
import { parseCoreStat } from '../sensors/procfs/core-stat.ts'
import { Loadavg, parseLoadavg } from '../sensors/procfs/loadavg.ts'
import { Meminfo, parseMeminfo } from '../sensors/procfs/meminfo.ts'
import { ReadBuffer } from '../sensors/read-buffer.ts'
import type { System } from '../system/system.ts'

/** What the node's own counters gained since the round before, and how things stand. */
export interface NodeCounts {
  readonly busySeconds: number
  readonly ioWaitSeconds: number | null
  readonly readBytes: number | null
  readonly writeBytes: number | null
  readonly netReceivedBytes: number | null
  readonly netSentBytes: number | null
  readonly coreSeconds: readonly number[]
  readonly memoryTotalBytes: number | null
  readonly memoryUsedBytes: number | null
  readonly swapUsedBytes: number | null
  readonly load: number | null
}

/** Reads the counters of the whole node, and tells what they gained between two looks. */
export class NodeCounters {
  readonly #system: System
  readonly #sensor: MachineSensor
  readonly #buffer = new ReadBuffer()
  readonly #loadavg = new Loadavg()
  readonly #meminfo = new Meminfo()
  #before = new MachineUsage()
  #now = new MachineUsage()
  #coresBefore: readonly number[] = []

  constructor(system: System) {
    this.#system = system
    this.#sensor = new MachineSensor(system)
  }

  look(): NodeCounts {
    const before = this.#now
    this.#now = this.#before
    this.#before = before
    const now = this.#now
    this.#sensor.read(now)
    const gain = (name: keyof MachineUsage): number | null => known(now[name] - before[name])
    const cores = this.#cores()
    const coreSeconds = cores.map((busy, at) => Math.max(0, busy - (this.#coresBefore[at] ?? busy)))
    this.#coresBefore = cores
    const memory = this.#memory()
    return {
      busySeconds: gain('busySeconds') ?? 0,
      ioWaitSeconds: gain('ioWaitSeconds'),
      readBytes: gain('diskReadBytes'),
      writeBytes: gain('diskWriteBytes'),
      netReceivedBytes: gain('netReceivedBytes'),
      netSentBytes: gain('netSentBytes'),
      coreSeconds,
      memoryTotalBytes: known(memory.totalBytes),
      memoryUsedBytes: known(memory.usedBytes),
      swapUsedBytes: known(memory.swapTotalBytes - memory.swapFreeBytes),
      load: this.#load(),
    }
  }

  close(): void {
    this.#sensor.close()
  }

  #cores(): readonly number[] {
    const cores: number[] = []
    const length = this.#buffer.readPath(this.#system.files, '/proc/stat')
    parseCoreStat(this.#buffer.bytes, length, this.#system.host.ticksPerSecond, cores)
    return cores
  }

  #memory(): Meminfo {
    const length = this.#buffer.readPath(this.#system.files, '/proc/meminfo')
    if (!parseMeminfo(this.#buffer.bytes, length, this.#meminfo)) return new Meminfo()
    return this.#meminfo
  }

  #load(): number | null {
    const length = this.#buffer.readPath(this.#system.files, '/proc/loadavg')
    return parseLoadavg(this.#buffer.bytes, length, this.#loadavg) ? this.#loadavg.one : null
  }
}

/** A counter that went back, as of a disk that was taken out, tells nothing. */
const known = (value: number): number | null => (value >= 0 ? value : null)
