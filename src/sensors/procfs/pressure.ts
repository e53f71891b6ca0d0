import { ByteScan, wordBytes } from '../byte-scan.ts'

/** A pressure file (PSI), of the machine in /proc/pressure or of a cgroup. */
export class Pressure {
  /** Time in which at least one task waited for the resource. */
  someSeconds = Number.NaN
  /** Time in which all tasks waited. NaN where absent: cpu has had this line since Linux 5.13. */
  fullSeconds = Number.NaN
}

const scan = new ByteScan()
const some = wordBytes('some ')
const full = wordBytes('full ')
const total = wordBytes('total=')

export function parsePressure(bytes: Uint8Array, length: number, into: Pressure): boolean {
  into.someSeconds = Number.NaN
  into.fullSeconds = Number.NaN
  scan.begin(bytes, length)
  while (scan.position < scan.end) {
    if (scan.accept(some)) into.someSeconds = totalSeconds()
    else if (scan.accept(full)) into.fullSeconds = totalSeconds()
    scan.skipLine()
  }
  return !Number.isNaN(into.someSeconds)
}

/** The running total, in microseconds. The averages beside it are coarser and not needed. */
function totalSeconds(): number {
  for (;;) {
    scan.skipBlanks()
    const byte = scan.peek()
    if (byte === -1 || byte === 10) return Number.NaN
    if (scan.accept(total)) break
    const before = scan.position
    scan.skipWord()
    if (scan.position === before) return Number.NaN
  }
  const microseconds = scan.number()
  return scan.endsWord() ? microseconds / 1e6 : Number.NaN
}
