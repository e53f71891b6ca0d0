import { ByteScan, wordBytes } from '../byte-scan.ts'

/** A blkio.throttle.io_service… file of cgroup v1, in bytes or operations as the file's name says. */
export class BlkioTotals {
  read = Number.NaN
  written = Number.NaN
}

const scan = new ByteScan()
const total = wordBytes('Total ')
const read = wordBytes('Read ')
const written = wordBytes('Write ')

/**
 * Lines are `8:0 Read 4096`, and last `Total 4096`. Sync, Async and Discard, and the totals, are the
 * same bytes again or other ones: only Read and Write count. The kernel writes the last line always.
 */
export function parseBlkio(bytes: Uint8Array, length: number, into: BlkioTotals): boolean {
  into.read = 0
  into.written = 0
  let isComplete = false
  scan.begin(bytes, length)
  while (scan.position < scan.end) {
    if (scan.accept(total)) isComplete = true
    else {
      scan.skipWord()
      scan.skipBlanks()
      if (scan.accept(read)) into.read += wholeNumber()
      else if (scan.accept(written)) into.written += wholeNumber()
    }
    scan.skipLine()
  }
  return isComplete && Math.max(into.read, into.written) <= Number.MAX_SAFE_INTEGER
}

function wholeNumber(): number {
  const found = scan.number()
  return scan.endsWord() ? found : Number.NaN
}
