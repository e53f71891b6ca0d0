import { ByteScan, largestNanoseconds } from '../byte-scan.ts'

/** /proc/PID/schedstat: of the main thread only; each thread has its own under task/. */
export class Schedstat {
  runSeconds = Number.NaN
  /** Time it could have run but had to wait for a CPU. */
  waitSeconds = Number.NaN
  slices = Number.NaN
}

const scan = new ByteScan()

export function parseSchedstat(bytes: Uint8Array, length: number, into: Schedstat): boolean {
  scan.begin(bytes, length)
  into.runSeconds = scan.number(largestNanoseconds) / 1e9
  scan.skipBlanks()
  into.waitSeconds = scan.number(largestNanoseconds) / 1e9
  into.slices = scan.nextNumber()
  return !Number.isNaN(into.runSeconds + into.waitSeconds + into.slices) && scan.endsWord()
}
