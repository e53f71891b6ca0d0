import { kibibytes } from '../byte-scan.ts'
import { KeyedNumbers } from '../keyed-numbers.ts'

/** /proc/PID/smaps_rollup, as far as it is used. */
export class SmapsRollup {
  /** Each page divided by the number of processes that map it. */
  pssBytes = Number.NaN
}

const lines = new KeyedNumbers(['Pss:'])

export function parseSmapsRollup(bytes: Uint8Array, length: number, into: SmapsRollup): boolean {
  lines.find(bytes, length)
  into.pssBytes = kibibytes(lines.number('Pss:'))
  return !Number.isNaN(into.pssBytes)
}
