import type { System } from '../system/system.ts'
import { DiskTotals, parseDiskstats } from './procfs/diskstats.ts'
import { MachineStat, parseMachineStat } from './procfs/machine-stat.ts'
import { Meminfo, parseMeminfo } from './procfs/meminfo.ts'
import { NetTotals, parseNetDev } from './procfs/net-dev.ts'
import { parsePressure, Pressure } from './procfs/pressure.ts'
import { ReadBuffer } from './read-buffer.ts'

/** What the whole machine did and does. NaN where it cannot be read. */
export class MachineUsage {
  busySeconds = Number.NaN
  ioWaitSeconds = Number.NaN
  idleSeconds = Number.NaN
  usedMemoryBytes = Number.NaN
  totalMemoryBytes = Number.NaN
  swapTotalBytes = Number.NaN
  swapFreeBytes = Number.NaN
  diskReadBytes = Number.NaN
  diskWriteBytes = Number.NaN
  netReceivedBytes = Number.NaN
  netSentBytes = Number.NaN
  cpuPressureSeconds = Number.NaN
  memoryPressureSeconds = Number.NaN
  ioPressureSeconds = Number.NaN
}

const machineFiles = [
  '/proc/stat',
  '/proc/meminfo',
  '/proc/diskstats',
  '/proc/net/dev',
  '/proc/pressure/cpu',
  '/proc/pressure/memory',
  '/proc/pressure/io',
] as const

type MachineFile = (typeof machineFiles)[number]

/** Reads the machine's own files again and again through kept descriptors. */
export class MachineSensor {
  readonly #system: System
  readonly #buffer = new ReadBuffer()
  readonly #descriptors = new Map<MachineFile, number>()
  readonly #parsed = {
    stat: new MachineStat(),
    memory: new Meminfo(),
    disks: new DiskTotals(),
    net: new NetTotals(),
    pressure: new Pressure(),
  }

  constructor(system: System) {
    this.#system = system
    for (const path of machineFiles) {
      const descriptor = system.files.open(path)
      if (descriptor >= 0) this.#descriptors.set(path, descriptor)
    }
  }

  read(into: MachineUsage): void {
    this.#readStat(into)
    this.#readMemory(into)
    this.#readDisks(into)
    this.#readNet(into)
    into.cpuPressureSeconds = this.#readPressure('/proc/pressure/cpu')
    into.memoryPressureSeconds = this.#readPressure('/proc/pressure/memory')
    into.ioPressureSeconds = this.#readPressure('/proc/pressure/io')
  }

  /** Gives the descriptors back; after that nothing can be read. */
  close(): void {
    for (const descriptor of this.#descriptors.values()) this.#system.files.close(descriptor)
    this.#descriptors.clear()
  }

  #readStat(into: MachineUsage): void {
    const { stat } = this.#parsed
    const length = this.#load('/proc/stat')
    const { ticksPerSecond } = this.#system.host
    const isKnown = parseMachineStat(this.#buffer.bytes, length, ticksPerSecond, stat)
    into.busySeconds = isKnown ? stat.busySeconds : Number.NaN
    into.ioWaitSeconds = isKnown ? stat.ioWaitSeconds : Number.NaN
    into.idleSeconds = isKnown ? stat.idleSeconds : Number.NaN
  }

  #readMemory(into: MachineUsage): void {
    const { memory } = this.#parsed
    const length = this.#load('/proc/meminfo')
    const isKnown = parseMeminfo(this.#buffer.bytes, length, memory)
    into.usedMemoryBytes = isKnown ? memory.usedBytes : Number.NaN
    into.totalMemoryBytes = isKnown ? memory.totalBytes : Number.NaN
    into.swapTotalBytes = isKnown ? memory.swapTotalBytes : Number.NaN
    into.swapFreeBytes = isKnown ? memory.swapFreeBytes : Number.NaN
  }

  #readDisks(into: MachineUsage): void {
    const { disks } = this.#parsed
    const length = this.#load('/proc/diskstats')
    const isKnown = length > 0 && parseDiskstats(this.#buffer.bytes, length, disks)
    into.diskReadBytes = isKnown ? disks.readBytes : Number.NaN
    into.diskWriteBytes = isKnown ? disks.writeBytes : Number.NaN
  }

  #readNet(into: MachineUsage): void {
    const { net } = this.#parsed
    const length = this.#load('/proc/net/dev')
    const isKnown = parseNetDev(this.#buffer.bytes, length, net)
    into.netReceivedBytes = isKnown ? net.receivedBytes : Number.NaN
    into.netSentBytes = isKnown ? net.sentBytes : Number.NaN
  }

  #readPressure(path: MachineFile): number {
    const { pressure } = this.#parsed
    const length = this.#load(path)
    const isKnown = parsePressure(this.#buffer.bytes, length, pressure)
    return isKnown ? pressure.someSeconds : Number.NaN
  }

  /** The length of what is now in the buffer; 0, which no parser takes, for a file that is gone. */
  #load(path: MachineFile): number {
    const descriptor = this.#descriptors.get(path)
    if (descriptor === undefined) return 0
    return Math.max(0, this.#buffer.read(this.#system.files, descriptor))
  }
}
