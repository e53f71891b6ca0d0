import { ByteScan, wordBytes } from '../byte-scan.ts'

/** /proc/net/dev, summed. It is of our own network namespace only. */
export class NetTotals {
  receivedBytes = Number.NaN
  sentBytes = Number.NaN
}

const scan = new ByteScan()
const loopback = wordBytes('lo:')
const colon = 58

// Interfaces that hand on what another one counts too: the host's ends of containers, bridges,
// bonds and traffic shapers, by the names that Docker, libvirt, Kubernetes and the kernel give them.
// A bridge or tunnel under a name of its owner's choice cannot be told from a card and is counted.
const relayNames = ['veth', 'docker', 'br-', 'virbr', 'cni', 'cali', 'bond', 'ifb']
const relays = relayNames.map(wordBytes)

/** Whether an interface of this name is left out of the sum. */
export const isLeftOut = (name: string): boolean =>
  name === 'lo' || relayNames.some((start) => name.startsWith(start))

/** Hears of each interface, loopback and those that hand on included. */
export type EachInterface = (name: string, receivedBytes: number, sentBytes: number) => void

export function parseNetDev(
  bytes: Uint8Array,
  length: number,
  into: NetTotals,
  each?: EachInterface,
): boolean {
  into.receivedBytes = 0
  into.sentBytes = 0
  let interfaces = 0
  scan.begin(bytes, length)
  // Two lines of headings.
  scan.skipLine()
  scan.skipLine()
  while (scan.position < scan.end) {
    scan.skipBlanks()
    const start = scan.position
    const isCounted = !scan.accept(loopback) && !relays.some(acceptHere)
    if (isCounted && !addLine(into)) return false
    if (each !== undefined) tellLine(start, each)
    interfaces += 1
    scan.skipLine()
  }
  const largest = Math.max(into.receivedBytes, into.sentBytes)
  return interfaces > 0 && largest <= Number.MAX_SAFE_INTEGER
}

const acceptHere = (word: Uint8Array): boolean => scan.accept(word)

function addLine(into: NetTotals): boolean {
  if (!skipName()) return false
  into.receivedBytes += scan.nextNumber()
  // packets errs drop fifo frame compressed multicast
  for (let left = 7; left > 0; left -= 1) scan.nextNumber()
  into.sentBytes += scan.nextNumber()
  return scan.endsWord() && !Number.isNaN(into.receivedBytes + into.sentBytes)
}

let decoder: InstanceType<typeof TextDecoder> | undefined
const line = new NetTotals()

function tellLine(start: number, each: EachInterface): void {
  scan.position = start
  line.receivedBytes = line.sentBytes = 0
  if (!addLine(line)) return
  decoder ??= new TextDecoder()
  const name = decoder.decode(scan.bytes.subarray(start, scan.bytes.indexOf(colon, start)))
  each(name, line.receivedBytes, line.sentBytes)
}

/** Steps over the colon: no blank need follow it, and a name cannot hold one. */
function skipName(): boolean {
  const { bytes, end } = scan
  const start = scan.position
  while (scan.position < end && (bytes[scan.position] ?? 0) > 32) {
    if (bytes[scan.position] === colon) break
    scan.position += 1
  }
  return scan.position > start && scan.acceptByte(colon)
}
