import { kibibytes } from '../byte-scan.ts'
import { KeyedNumbers } from '../keyed-numbers.ts'

/** /proc/PID/smaps_rollup, as far as it is used. */
export class SmapsRollup {
  /** Each page divided by the number of processes that map it. */
  pssBytes = Number.NaN
  /** What is not counted in it of memory that its process has a copy of as soon as it writes there. */
  sharedAnonymousBytes = Number.NaN
}

const lines = new KeyedNumbers(['Rss:', 'Pss:', 'Pss_Anon:', 'Anonymous:'])

export function parseSmapsRollup(bytes: Uint8Array, length: number, into: SmapsRollup): boolean {
  lines.find(bytes, length)
  into.pssBytes = kibibytes(lines.number('Pss:'))
  const anonymous = lines.number('Anonymous:') - lines.number('Pss_Anon:')
  // Before Linux 5.2 nothing tells it from what is shared by all, such as libraries.
  const shared = Number.isNaN(anonymous) ? lines.number('Rss:') - lines.number('Pss:') : anonymous
  into.sharedAnonymousBytes = kibibytes(shared > 0 ? shared : 0)
  return !Number.isNaN(into.pssBytes)
}
