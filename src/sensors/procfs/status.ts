import { kibibytes } from '../byte-scan.ts'
import { KeyedNumbers } from '../keyed-numbers.ts'

/** /proc/PID/status, as far as it is used. NaN for a line that is not there. */
export class ProcessStatus {
  parentPid = Number.NaN
  /** The real user. */
  uid = Number.NaN
  /** Kernel threads and zombies have no memory, and so none of the Vm lines. */
  highWaterBytes = Number.NaN
  residentBytes = Number.NaN
  swapBytes = Number.NaN
  threads = Number.NaN
  voluntarySwitches = Number.NaN
  involuntarySwitches = Number.NaN
}

const lines = new KeyedNumbers([
  'PPid:',
  'Uid:',
  'VmHWM:',
  'VmRSS:',
  'VmSwap:',
  'Threads:',
  'voluntary_ctxt_switches:',
  'nonvoluntary_ctxt_switches:',
])

/** Safe against a process's name: here the kernel writes a line end in it as `\n`, unlike in stat. */
export function parseStatus(bytes: Uint8Array, length: number, into: ProcessStatus): boolean {
  lines.find(bytes, length)
  into.parentPid = lines.number('PPid:')
  into.uid = lines.number('Uid:')
  into.highWaterBytes = kibibytes(lines.number('VmHWM:'))
  into.residentBytes = kibibytes(lines.number('VmRSS:'))
  into.swapBytes = kibibytes(lines.number('VmSwap:'))
  into.threads = lines.number('Threads:')
  into.voluntarySwitches = lines.number('voluntary_ctxt_switches:')
  into.involuntarySwitches = lines.number('nonvoluntary_ctxt_switches:')
  return !Number.isNaN(into.parentPid)
}
