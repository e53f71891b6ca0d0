import { parsePressure, Pressure } from '../procfs/pressure.ts'
import { BlkioTotals, parseBlkio } from './blkio.ts'
import type { CgroupUsage } from './cgroup-usage.ts'
import { CpuStat, parseCpuStat } from './cpu-stat.ts'
import { CpuacctStat, parseCpuacctStat, parseCpuacctUsage } from './cpuacct.ts'
import { CgroupIo, parseIoStat } from './io-stat.ts'
import { MemoryEvents, parseMemoryEvents, parseOomControl } from './memory-events.ts'
import { MemoryStat, parseMemoryStat, parseMemoryStatOfV1 } from './memory-stat.ts'
import { parseNumberFile } from './number-file.ts'

/** One file of a cgroup and the figures it gives; false when it is not in a known format. */
export interface CgroupFile {
  readonly name: string
  take(bytes: Uint8Array, length: number, into: CgroupUsage, ticksPerSecond: number): boolean
}

type NumberKey = 'memoryBytes' | 'memoryPeakBytes' | 'swapBytes' | 'limitHits'
type PressureKey = 'cpuPressureSeconds' | 'memoryPressureSeconds' | 'ioPressureSeconds'

const cpu = new CpuStat()
const cpuacct = new CpuacctStat()
const io = new CgroupIo()
const blkio = new BlkioTotals()
const events = new MemoryEvents()
const memory = new MemoryStat()
const pressure = new Pressure()

export const cpuStatFile: CgroupFile = {
  name: 'cpu.stat',
  take(bytes, length, into) {
    if (!parseCpuStat(bytes, length, cpu)) return false
    into.usageSeconds = cpu.usageSeconds
    into.userSeconds = cpu.userSeconds
    into.systemSeconds = cpu.systemSeconds
    return true
  },
}

const cpuacctFile = (
  name: string,
  key: 'usageSeconds' | 'userSeconds' | 'systemSeconds',
): CgroupFile => ({
  name,
  take: (bytes, length, into) => !Number.isNaN((into[key] = parseCpuacctUsage(bytes, length))),
})

export const cpuacctUsageFile = cpuacctFile('cpuacct.usage', 'usageSeconds')
export const cpuacctUserFile = cpuacctFile('cpuacct.usage_user', 'userSeconds')
export const cpuacctSystemFile = cpuacctFile('cpuacct.usage_sys', 'systemSeconds')

export const cpuacctStatFile: CgroupFile = {
  name: 'cpuacct.stat',
  take(bytes, length, into, ticksPerSecond) {
    if (!parseCpuacctStat(bytes, length, ticksPerSecond, cpuacct)) return false
    into.userSeconds = cpuacct.userSeconds
    into.systemSeconds = cpuacct.systemSeconds
    return true
  },
}

const numberFile = (name: string, key: NumberKey): CgroupFile => ({
  name,
  take(bytes, length, into) {
    const found = parseNumberFile(bytes, length)
    into[key] = Number.isFinite(found) ? found : Number.NaN
    return Number.isFinite(found)
  },
})

export const memoryCurrentFile = numberFile('memory.current', 'memoryBytes')
/** Came with Linux 5.19. */
export const memoryPeakFile = numberFile('memory.peak', 'memoryPeakBytes')
export const memorySwapFile = numberFile('memory.swap.current', 'swapBytes')
export const memoryUsageOfV1 = numberFile('memory.usage_in_bytes', 'memoryBytes')
export const limitHitsOfV1 = numberFile('memory.failcnt', 'limitHits')
export const memoryPeakOfV1 = numberFile('memory.max_usage_in_bytes', 'memoryPeakBytes')

export const memoryStatFile: CgroupFile = {
  name: 'memory.stat',
  take(bytes, length, into) {
    if (!parseMemoryStat(bytes, length, memory)) return false
    takeMemoryStat(into)
    return true
  },
}

export const memoryStatOfV1: CgroupFile = {
  name: 'memory.stat',
  take(bytes, length, into) {
    if (!parseMemoryStatOfV1(bytes, length, memory)) return false
    takeMemoryStat(into)
    into.swapBytes = memory.swapBytes
    return true
  },
}

function takeMemoryStat(into: CgroupUsage): void {
  into.anonymousBytes = memory.anonymousBytes
  into.sharedBytes = memory.sharedBytes
  into.fileBytes = memory.fileBytes
}

export const memoryEventsFile: CgroupFile = {
  name: 'memory.events',
  take(bytes, length, into) {
    const isKnown = parseMemoryEvents(bytes, length, events)
    into.oomKills = events.oomKills
    into.limitHits = events.oom
    return isKnown
  },
}

export const oomControlOfV1: CgroupFile = {
  name: 'memory.oom_control',
  take(bytes, length, into) {
    const isKnown = parseOomControl(bytes, length, events)
    into.oomKills = events.oomKills
    return isKnown
  },
}

export const ioStatFile: CgroupFile = {
  name: 'io.stat',
  take(bytes, length, into) {
    if (!parseIoStat(bytes, length, io)) return false
    into.readBytes = io.readBytes
    into.writeBytes = io.writeBytes
    into.readOps = io.reads
    into.writeOps = io.writes
    return true
  },
}

export const blkioBytesFile: CgroupFile = {
  name: 'blkio.throttle.io_service_bytes_recursive',
  take(bytes, length, into) {
    if (!parseBlkio(bytes, length, blkio)) return false
    into.readBytes = blkio.read
    into.writeBytes = blkio.written
    return true
  },
}

export const blkioOperationsFile: CgroupFile = {
  name: 'blkio.throttle.io_serviced_recursive',
  take(bytes, length, into) {
    if (!parseBlkio(bytes, length, blkio)) return false
    into.readOps = blkio.read
    into.writeOps = blkio.written
    return true
  },
}

const pressureFile = (name: string, key: PressureKey): CgroupFile => ({
  name,
  take(bytes, length, into) {
    if (!parsePressure(bytes, length, pressure)) return false
    into[key] = pressure.someSeconds
    return true
  },
})

export const cpuPressureFile = pressureFile('cpu.pressure', 'cpuPressureSeconds')
export const memoryPressureFile = pressureFile('memory.pressure', 'memoryPressureSeconds')
export const ioPressureFile = pressureFile('io.pressure', 'ioPressureSeconds')
