import { ByteScan, wordBytes } from '../byte-scan.ts'

/** /proc/stat: the CPU time of all cores together, and what was started since the boot. */
export class MachineStat {
  busySeconds = Number.NaN
  ioWaitSeconds = Number.NaN
  idleSeconds = Number.NaN
  /** Time a hypervisor gave to others. */
  stealSeconds = Number.NaN
  /** Processes and threads started since the boot. */
  forks = Number.NaN
  /** When the machine booted, in seconds since 1970. */
  bootSeconds = Number.NaN
}

const scan = new ByteScan()
const allCores = wordBytes('cpu ')
const bootTime = wordBytes('btime ')
const forkCount = wordBytes('processes ')

export function parseMachineStat(
  bytes: Uint8Array,
  length: number,
  ticksPerSecond: number,
  into: MachineStat,
): boolean {
  scan.begin(bytes, length)
  if (!scan.accept(allCores)) return false
  readCores(ticksPerSecond, into)
  into.forks = Number.NaN
  into.bootSeconds = Number.NaN
  while (scan.position < scan.end) {
    scan.skipLine()
    if (scan.accept(bootTime)) into.bootSeconds = wholeNumber()
    else if (scan.accept(forkCount)) into.forks = wholeNumber()
  }
  return !Number.isNaN(into.busySeconds + into.ioWaitSeconds + into.idleSeconds)
}

function readCores(ticksPerSecond: number, into: MachineStat): void {
  const user = scan.nextNumber()
  const nice = scan.nextNumber()
  const system = scan.nextNumber()
  const idle = scan.nextNumber()
  const ioWait = scan.nextNumber()
  const interrupts = scan.nextNumber()
  const softInterrupts = scan.nextNumber()
  const steal = scan.nextNumber()
  // The guest fields that follow are left out: the kernel has put that time into user and nice
  // already, and a host of virtual machines would seem twice as busy as it is.
  const busyTicks = user + nice + system + interrupts + softInterrupts + steal
  into.busySeconds = scan.endsWord() ? busyTicks / ticksPerSecond : Number.NaN
  into.ioWaitSeconds = ioWait / ticksPerSecond
  into.idleSeconds = idle / ticksPerSecond
  into.stealSeconds = steal / ticksPerSecond
}

function wholeNumber(): number {
  const found = scan.number()
  return scan.endsWord() ? found : Number.NaN
}
