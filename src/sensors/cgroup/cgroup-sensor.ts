import type { System } from '../../system/system.ts'
import { ReadBuffer } from '../read-buffer.ts'
import * as file from './cgroup-files.ts'
import { parseCgroupProcs } from './cgroup-procs.ts'
import { CgroupUsage, clearCgroupUsage } from './cgroup-usage.ts'

export { CgroupUsage } from './cgroup-usage.ts'

/** The directories of one job's cgroup. A hybrid machine has both kinds. */
export interface CgroupDirectories {
  readonly v2: string | null
  /** By controller. */
  readonly v1: ReadonlyMap<string, string>
}

/** Which files the figures come from; null where there are none. */
export interface CgroupBasis {
  readonly cpu: string | null
  readonly memory: string | null
  readonly io: string | null
  readonly pressure: string | null
}

/** What is read of a cgroup besides its CPU time and the processes that were killed for want of memory. */
export interface WantedOfCgroup {
  readonly memory: boolean
  readonly io: boolean
  readonly pressure: boolean
}

const allOfIt: WantedOfCgroup = { memory: true, io: true, pressure: true }

interface Kept {
  readonly file: file.CgroupFile
  readonly descriptor: number
}

/**
 * Reads the files of one cgroup again and again through kept descriptors. v2 goes first; v1 serves
 * what v2 lacks, for on hybrid machines v2 knows of CPU and pressure and v1 of memory and I/O.
 */
export class CgroupSensor {
  basis: CgroupBasis
  /** Whether the kernel keeps the peak of its memory; v2 does since Linux 5.19. */
  keepsMemoryPeak = false
  readonly #system: System
  readonly #wanted: WantedOfCgroup
  #directories: CgroupDirectories
  readonly #kept: Kept[] = []
  /** Those of them that tell the CPU time. */
  readonly #keptOfCpu: Kept[]
  readonly #buffer = new ReadBuffer()
  #membersPath: string | null

  constructor(system: System, directories: CgroupDirectories, wanted = allOfIt) {
    this.#system = system
    this.#wanted = wanted
    this.#directories = directories
    const cpu = this.#keepCpu()
    this.#keptOfCpu = [...this.#kept]
    this.basis = {
      cpu,
      memory: wanted.memory ? this.#keepMemory() : this.#keepKills(),
      io: wanted.io ? this.#keepIo() : null,
      pressure: this.#keepPressure(),
    }
    this.#membersPath = this.#findMembers()
  }

  /** The job has joined a v2 cgroup since: it tells of pressure from now on. */
  join(v2: string): void {
    this.#directories = { ...this.#directories, v2 }
    const pressure = this.#keepPressure()
    this.basis = { ...this.basis, pressure: pressure && `${pressure}, since the job joined it` }
  }

  /** Reads every kept file. A figure whose file has gone, or turned to garbage, is NaN. */
  read(into: CgroupUsage): void {
    clearCgroupUsage(into)
    for (const kept of this.#kept) this.#readOne(kept, into)
  }

  /** Reads the CPU time alone, and leaves the rest as it was. */
  readCpu(into: CgroupUsage): void {
    into.usageSeconds = NaN
    into.userSeconds = NaN
    into.systemSeconds = NaN
    for (const kept of this.#keptOfCpu) this.#readOne(kept, into)
  }

  /**
   * Adds the processes of the cgroup; false when it is gone or cannot be read. The file is opened each time: a kept
   * descriptor of v1 goes on answering the list that it gave first.
   */
  members(into: number[]): boolean {
    if (this.#membersPath === null) return false
    const { files } = this.#system
    const descriptor = files.open(this.#membersPath)
    if (descriptor < 0) return false
    const length = this.#buffer.read(files, descriptor)
    files.close(descriptor)
    return length >= 0 && parseCgroupProcs(this.#buffer.bytes, length, into)
  }

  /** Gives the descriptors back; after that nothing can be read. */
  close(): void {
    for (const kept of this.#kept) this.#system.files.close(kept.descriptor)
    this.#kept.length = 0
    this.#keptOfCpu.length = 0
    this.#membersPath = null
  }

  #keepCpu(): string | null {
    if (this.#keep('v2', file.cpuStatFile)) return 'cgroup v2 cpu.stat'
    if (!this.#keep('cpuacct', file.cpuacctUsageFile)) return null
    const isSplit =
      this.#keep('cpuacct', file.cpuacctUserFile) && this.#keep('cpuacct', file.cpuacctSystemFile)
    if (!isSplit) this.#keep('cpuacct', file.cpuacctStatFile)
    return 'cgroup v1 cpuacct.usage'
  }

  #keepMemory(): string | null {
    if (this.#keep('v2', file.memoryCurrentFile)) {
      this.#keep('v2', file.memorySwapFile)
      this.#keep('v2', file.memoryStatFile)
      this.#keep('v2', file.memoryEventsFile)
      this.keepsMemoryPeak = this.#keep('v2', file.memoryPeakFile)
      return this.keepsMemoryPeak ? 'cgroup v2 memory.peak' : 'cgroup v2 memory.current'
    }
    if (!this.#keep('memory', file.memoryUsageOfV1)) return null
    this.#keep('memory', file.memoryStatOfV1)
    this.#keepKillsOfV1()
    this.keepsMemoryPeak = this.#keep('memory', file.memoryPeakOfV1)
    return `cgroup v1 memory.${this.keepsMemoryPeak ? 'max_usage_in_bytes' : 'usage_in_bytes'}`
  }

  /** How a job ended is told whatever is measured of it. */
  #keepKills(): null {
    if (!this.#keep('v2', file.memoryEventsFile)) this.#keepKillsOfV1()
    return null
  }

  #keepKillsOfV1(): void {
    if (this.#keep('memory', file.oomControlOfV1)) this.#keep('memory', file.limitHitsOfV1)
  }

  #keepIo(): string | null {
    if (this.#keep('v2', file.ioStatFile)) return 'cgroup v2 io.stat'
    if (!this.#keep('blkio', file.blkioBytesFile)) return null
    this.#keep('blkio', file.blkioOperationsFile)
    return `cgroup v1 ${file.blkioBytesFile.name}`
  }

  /** Only v2 has these, and it has them with or without the controllers of the same names. */
  #keepPressure(): string | null {
    if (!this.#wanted.pressure) return null
    const kept = [file.cpuPressureFile, file.memoryPressureFile, file.ioPressureFile].filter(
      (pressure) => this.#keep('v2', pressure),
    )
    return kept.length === 0 ? null : `cgroup v2 ${kept.map((each) => each.name).join(', ')}`
  }

  /**
   * Opens a file of the v2 tree, or of a v1 controller, for good. It must give a figure at once to
   * count as there: with pressure accounting off, say, the files open but cannot be read. What
   * fails here is never tried again.
   */
  #keep(tree: string, wanted: file.CgroupFile): boolean {
    const { v1, v2 } = this.#directories
    const directory = tree === 'v2' ? v2 : (v1.get(tree) ?? null)
    if (directory === null) return false
    const descriptor = this.#system.files.open(`${directory}/${wanted.name}`)
    if (descriptor < 0) return false
    const kept = { file: wanted, descriptor }
    if (this.#readOne(kept, new CgroupUsage())) {
      this.#kept.push(kept)
      return true
    }
    this.#system.files.close(descriptor)
    return false
  }

  #readOne(kept: Kept, into: CgroupUsage): boolean {
    const { files, host } = this.#system
    const length = this.#buffer.read(files, kept.descriptor)
    return length >= 0 && kept.file.take(this.#buffer.bytes, length, into, host.ticksPerSecond)
  }

  #findMembers(): string | null {
    const { files } = this.#system
    const directories = [this.#directories.v2, ...this.#directories.v1.values()]
    for (const directory of directories) {
      if (directory === null) continue
      const path = `${directory}/cgroup.procs`
      const descriptor = files.open(path)
      if (descriptor < 0) continue
      files.close(descriptor)
      return path
    }
    return null
  }
}
