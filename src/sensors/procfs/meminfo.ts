import { kibibytes } from '../byte-scan.ts'
import { KeyedNumbers } from '../keyed-numbers.ts'

/** /proc/meminfo, as far as it is used. */
export class Meminfo {
  totalBytes = Number.NaN
  /** What programs could still get without swapping. */
  availableBytes = Number.NaN
  usedBytes = Number.NaN
  swapTotalBytes = Number.NaN
  swapFreeBytes = Number.NaN
}

const lines = new KeyedNumbers([
  'MemTotal:',
  'MemFree:',
  'MemAvailable:',
  'Buffers:',
  'Cached:',
  'SwapTotal:',
  'SwapFree:',
])

export function parseMeminfo(bytes: Uint8Array, length: number, into: Meminfo): boolean {
  lines.find(bytes, length)
  into.totalBytes = kibibytes(lines.number('MemTotal:'))
  into.availableBytes = Math.min(kibibytes(availableKibibytes()), into.totalBytes)
  into.usedBytes = into.totalBytes - into.availableBytes
  into.swapTotalBytes = kibibytes(lines.number('SwapTotal:'))
  into.swapFreeBytes = kibibytes(lines.number('SwapFree:'))
  return !Number.isNaN(into.usedBytes)
}

/** Some containers' made-up meminfo leaves the kernel's own estimate out; this is the usual stand-in. */
function availableKibibytes(): number {
  const available = lines.number('MemAvailable:')
  if (!Number.isNaN(available)) return available
  return lines.number('MemFree:') + lines.number('Buffers:') + lines.number('Cached:')
}
