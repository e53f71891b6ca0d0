import { ByteScan, wordBytes } from '../byte-scan.ts'

/** Bytes and operations of a cgroup on all block devices together. */
export class CgroupIo {
  readBytes = Number.NaN
  writeBytes = Number.NaN
  reads = Number.NaN
  writes = Number.NaN
}

const scan = new ByteScan()
const readBytes = wordBytes('rbytes=')
const writeBytes = wordBytes('wbytes=')
const reads = wordBytes('rios=')
const writes = wordBytes('wios=')

/**
 * io.stat of cgroup v2. Empty until the first I/O, which is 0. Read word by word and not line by
 * line: some kernels leave out the line end after a device that has nothing to tell
 * (`7:0 7:1 8:0 rbytes=…`).
 */
export function parseIoStat(bytes: Uint8Array, length: number, into: CgroupIo): boolean {
  into.readBytes = into.writeBytes = into.reads = into.writes = 0
  scan.begin(bytes, length)
  for (;;) {
    while (scan.endsWord()) scan.position += 1
    if (scan.position >= scan.end) break
    if (scan.accept(readBytes)) into.readBytes += scan.number()
    else if (scan.accept(writeBytes)) into.writeBytes += scan.number()
    else if (scan.accept(reads)) into.reads += scan.number()
    else if (scan.accept(writes)) into.writes += scan.number()
    else scan.skipWord()
    if (!scan.endsWord()) return false
  }
  const largest = Math.max(into.readBytes, into.writeBytes, into.reads, into.writes)
  return largest <= Number.MAX_SAFE_INTEGER
}
