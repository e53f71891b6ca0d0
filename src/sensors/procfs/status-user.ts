import { KeyedNumbers } from '../keyed-numbers.ts'

const lines = new KeyedNumbers(['Uid:'])

/** Who a process runs as, by /proc/PID/status: the real uid, which the kernel's accounting goes by too. NaN if untold. */
export function parseStatusUser(bytes: Uint8Array, length: number): number {
  lines.find(bytes, length)
  return lines.number('Uid:')
}
