import { ByteScan } from '../byte-scan.ts'

/** /proc/loadavg. */
export class Loadavg {
  /** Tasks that ran, could run or waited for a disk, averaged over one minute. */
  one = Number.NaN
  five = Number.NaN
  fifteen = Number.NaN
  /** Tasks that can run now, of those existing. */
  runnable = Number.NaN
  existing = Number.NaN
  lastPid = Number.NaN
}

const scan = new ByteScan()
const slash = 47
const point = 46

export function parseLoadavg(bytes: Uint8Array, length: number, into: Loadavg): boolean {
  scan.begin(bytes, length)
  into.one = hundredths()
  into.five = hundredths()
  into.fifteen = hundredths()
  into.runnable = scan.nextNumber()
  into.existing = scan.acceptByte(slash) ? scan.number() : Number.NaN
  into.lastPid = scan.nextNumber()
  const averages = into.one + into.five + into.fifteen
  return !Number.isNaN(averages + into.runnable + into.existing + into.lastPid) && scan.endsWord()
}

/** The kernel always writes two places after the point. */
function hundredths(): number {
  const whole = scan.nextNumber()
  if (!scan.acceptByte(point)) return Number.NaN
  const start = scan.position
  const part = scan.number()
  return scan.position - start === 2 ? whole + part / 100 : Number.NaN
}
