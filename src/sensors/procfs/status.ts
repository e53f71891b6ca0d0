import type { Files } from '../../system/system.ts'
import { kibibytes } from '../byte-scan.ts'
import { KeyedNumbers } from '../keyed-numbers.ts'

/** /proc/PID/status, as far as it is used. NaN for a line that is not there. */
export class ProcessStatus {
  highWaterBytes = Number.NaN
  residentBytes = Number.NaN
  swapBytes = Number.NaN
}

const lines = new KeyedNumbers(['VmHWM:', 'VmRSS:', 'VmSwap:'])

/**
 * False for kernel threads and zombies, which have no memory. Safe against a process's name: here the kernel writes a line
 * end in it as `\n`, unlike in stat.
 */
export function parseStatus(bytes: Uint8Array, length: number, into: ProcessStatus): boolean {
  lines.find(bytes, length)
  into.highWaterBytes = kibibytes(lines.number('VmHWM:'))
  into.residentBytes = kibibytes(lines.number('VmRSS:'))
  into.swapBytes = kibibytes(lines.number('VmSwap:'))
  return !Number.isNaN(into.highWaterBytes)
}

/** Who a process runs as: its real uid; NaN where that is not told. */
export function readUser(files: Pick<Files, 'readText'>, pid: number): number {
  const read = files.readText(`/proc/${pid}/status`)
  return read.kind === 'ok' ? Number(/^Uid:\s*(\d+)/m.exec(read.value)?.[1]) : Number.NaN
}
