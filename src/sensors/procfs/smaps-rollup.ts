import { kibibytes } from '../byte-scan.ts'
import { KeyedNumbers } from '../keyed-numbers.ts'

/** /proc/PID/smaps_rollup, as far as it is used. */
export class SmapsRollup {
  rssBytes = Number.NaN
  /** Each page divided by the number of processes that map it. */
  pssBytes = Number.NaN
  /** NaN on a kernel built without swap. */
  swapBytes = Number.NaN
  swapPssBytes = Number.NaN
}

const lines = new KeyedNumbers(['Rss:', 'Pss:', 'Swap:', 'SwapPss:'])

export function parseSmapsRollup(bytes: Uint8Array, length: number, into: SmapsRollup): boolean {
  lines.find(bytes, length)
  into.rssBytes = kibibytes(lines.number('Rss:'))
  into.pssBytes = kibibytes(lines.number('Pss:'))
  into.swapBytes = kibibytes(lines.number('Swap:'))
  into.swapPssBytes = kibibytes(lines.number('SwapPss:'))
  return !Number.isNaN(into.rssBytes + into.pssBytes)
}
