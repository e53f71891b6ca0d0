import { ByteScan, wordBytes } from '../byte-scan.ts'

const scan = new ByteScan()
const core = wordBytes('cpu')

/** The busy seconds of each core in /proc/stat, in its order; those that are switched off are left out. */
export function parseCoreStat(
  bytes: Uint8Array,
  length: number,
  ticksPerSecond: number,
  into: number[],
): boolean {
  into.length = 0
  scan.begin(bytes, length)
  while (scan.position < scan.end && scan.accept(core)) {
    const isTotal = scan.peek() === 32
    if (!isTotal) {
      scan.number()
      const user = scan.nextNumber()
      const nice = scan.nextNumber()
      const system = scan.nextNumber()
      scan.nextNumber() // idle
      scan.nextNumber() // waiting for a disk
      const interrupts = scan.nextNumber()
      const softInterrupts = scan.nextNumber()
      const steal = scan.nextNumber()
      const ticks = user + nice + system + interrupts + softInterrupts + steal
      if (Number.isNaN(ticks)) return false
      into.push(ticks / ticksPerSecond)
    }
    scan.skipLine()
  }
  return into.length > 0
}
