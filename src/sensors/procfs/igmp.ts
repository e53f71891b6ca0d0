import { ByteScan } from '../byte-scan.ts'

const scan = new ByteScan()
const colon = 58
let decoder: InstanceType<typeof TextDecoder> | undefined

/**
 * /proc/net/igmp: the numbers of the interfaces that are up, by their names. No other file of /proc has the number of every
 * interface of a namespace: /proc/net/dev tells of names alone, which a later interface may bear again. Lines that are cut
 * are left out.
 */
export function parseIgmp(bytes: Uint8Array, length: number, into: Map<string, number>): void {
  into.clear()
  scan.begin(bytes, length)
  scan.skipLine()
  while (scan.position < scan.end) {
    // The groups of an interface stand below it, and begin with a tab.
    const index = scan.number()
    if (index > 0) takeName(index, into)
    scan.skipLine()
  }
}

function takeName(index: number, into: Map<string, number>): void {
  if (!scan.endsWord()) return
  scan.skipBlanks()
  const { bytes, position: start, end } = scan
  let after = start
  while (after < end && (bytes[after] ?? 0) > 32 && bytes[after] !== colon) after += 1
  scan.position = after
  scan.skipBlanks()
  if (after === start || !scan.acceptByte(colon)) return
  decoder ??= new TextDecoder()
  into.set(decoder.decode(bytes.subarray(start, after)), index)
}
