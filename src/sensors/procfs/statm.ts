import { ByteScan } from '../byte-scan.ts'

/** /proc/PID/statm. All 0 for a kernel thread or a zombie. */
export class ProcessStatm {
  sizePages = Number.NaN
  residentPages = Number.NaN
  /** Of the resident pages, those backed by files or shared memory. */
  sharedPages = Number.NaN
}

const scan = new ByteScan()

export function parseStatm(bytes: Uint8Array, length: number, into: ProcessStatm): boolean {
  scan.begin(bytes, length)
  into.sizePages = scan.number()
  into.residentPages = scan.nextNumber()
  into.sharedPages = scan.nextNumber()
  // NaN is contagious: the sum asks all three.
  const isWhole = !Number.isNaN(into.sizePages + into.residentPages + into.sharedPages)
  return isWhole && scan.endsWord()
}
