import { ByteScan, wordBytes } from '../byte-scan.ts'

/** /proc/diskstats, summed over the machine's own disks. */
export class DiskTotals {
  readBytes = Number.NaN
  writeBytes = Number.NaN
  reads = Number.NaN
  writes = Number.NaN
}

/** Hears of each disk that is counted; what it is given is reused for the next. */
export type EachDisk = (name: string, disk: Readonly<DiskTotals>) => void

// Whatever the disk's real sector size is: the kernel counts in units of 512 bytes here.
const sectorBytes = 512

// Devices whose bytes are counted again on the disks below them (device mapper, RAID, DRBD, bcache,
// ZFS volumes, loop files), or that are memory.
const stacked = ['dm-', 'md', 'drbd', 'bcache', 'zd', 'loop', 'ram', 'zram'].map(wordBytes)
const nvme = wordBytes('nvme')
const letterC = 99
const letterN = 110

const scan = new ByteScan()
const headScan = new ByteScan()
const disk = { start: 0, end: 0 }

/**
 * Which lines are whole disks is decided by names alone. The kernel lists a disk's partitions right
 * after it and names them by one rule: the disk's name, a `p` if that ends in a digit, a number.
 * So sda1 after sda and nvme0n1p1 after nvme0n1 are partitions, while sdaa after sda, nvme0n10
 * after nvme0n1, and an xvda1 that some clouds give without an xvda, are disks.
 */
export function parseDiskstats(
  bytes: Uint8Array,
  length: number,
  into: DiskTotals,
  each?: EachDisk,
): boolean {
  into.readBytes = into.writeBytes = into.reads = into.writes = 0
  disk.start = disk.end = 0
  scan.begin(bytes, length)
  while (scan.position < scan.end) {
    const numbers = scan.nextNumber() + scan.nextNumber()
    scan.skipBlanks()
    const start = scan.position
    scan.skipWord()
    if (Number.isNaN(numbers) || scan.position === start) return false
    if (!isPartition(start) && !isStacked(start)) {
      disk.start = start
      disk.end = scan.position
      const fields = scan.position
      if (!addLine(into)) return false
      if (each !== undefined) tellLine(fields, each)
    }
    scan.skipLine()
  }
  return into.readBytes <= Number.MAX_SAFE_INTEGER && into.writeBytes <= Number.MAX_SAFE_INTEGER
}

let decoder: InstanceType<typeof TextDecoder> | undefined
const line = new DiskTotals()

function tellLine(fields: number, each: EachDisk): void {
  scan.position = fields
  line.readBytes = line.writeBytes = line.reads = line.writes = 0
  addLine(line)
  decoder ??= new TextDecoder()
  each(decoder.decode(scan.bytes.subarray(disk.start, disk.end)), line)
}

function addLine(into: DiskTotals): boolean {
  into.reads += scan.nextNumber()
  scan.nextNumber() // merged
  into.readBytes += scan.nextNumber() * sectorBytes
  scan.nextNumber() // milliseconds
  into.writes += scan.nextNumber()
  scan.nextNumber() // merged
  into.writeBytes += scan.nextNumber() * sectorBytes
  return (
    scan.endsWord() && !Number.isNaN(into.reads + into.readBytes + into.writes + into.writeBytes)
  )
}

function isPartition(start: number): boolean {
  const { bytes, position: end } = scan
  const diskLength = disk.end - disk.start
  if (diskLength === 0 || end - start <= diskLength) return false
  for (let index = 0; index < diskLength; index += 1) {
    if (bytes[start + index] !== bytes[disk.start + index]) return false
  }
  let digits = start + diskLength
  if (isDigit(bytes[disk.end - 1])) {
    if (bytes[digits] !== 112) return false
    digits += 1
  }
  return digits < end && allDigits(digits, end)
}

function isStacked(start: number): boolean {
  const end = scan.position
  scan.position = start
  const answer = stacked.some(acceptHere) || (scan.accept(nvme) && isCountedPath())
  scan.position = end
  return answer
}

const acceptHere = (word: Uint8Array): boolean => scan.accept(word)

/**
 * nvme0c1n1 is one way to nvme0n1. Newer kernels count on both; older ones leave the disk at 0 and
 * count on its ways only, so there these are what must be added up.
 */
function isCountedPath(): boolean {
  const subsystem = scan.number()
  if (!scan.acceptByte(letterC)) return false
  scan.number()
  if (!scan.acceptByte(letterN)) return false
  return headOperations(subsystem, scan.number()) > 0
}

/** Reads and writes that the file tells of a multipath NVMe disk; 0 if it does not name the disk. */
function headOperations(subsystem: number, namespace: number): number {
  headScan.begin(scan.bytes, scan.end)
  for (; headScan.position < headScan.end; headScan.skipLine()) {
    headScan.nextNumber()
    headScan.nextNumber()
    headScan.skipBlanks()
    if (!headScan.accept(nvme) || headScan.number() !== subsystem) continue
    if (!headScan.acceptByte(letterN) || headScan.number() !== namespace) continue
    if (!headScan.endsWord()) continue
    const reads = headScan.nextNumber()
    for (let left = 3; left > 0; left -= 1) headScan.nextNumber()
    return reads + headScan.nextNumber()
  }
  return 0
}

function allDigits(start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) {
    if (!isDigit(scan.bytes[index])) return false
  }
  return true
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 57
}
