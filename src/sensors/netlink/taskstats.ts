/** What the kernel's taskstats tell of a task, a process or a thread of one, at its end. */
export interface TaskEnd {
  readonly pid: number
  /** The process that it is a thread of. */
  readonly processId: number
  readonly parentPid: number
  /** The real uid. */
  readonly uid: number
  readonly command: string
  /** Up to the moment of the record, which comes before its memory is given back. */
  readonly cpuSeconds: number
  readonly readBytes: number
  readonly writeBytes: number
  readonly startedAt: number
}

const headerBytes = 20
const requestFlag = 1
const acknowledge = 4
const genericControl = 16
const getFamily = 3
const familyId = 1
const familyName = 2
const taskstatsGet = 1
const registerCpus = 3
const aggregatedPid = 4
const stats = 3
const errorMessage = 2

/** Where `struct taskstats` has them (linux/taskstats.h); those behind `writtenBytes` came later. */
const at = {
  waitedNanoseconds: 24,
  ranNanoseconds: 72,
  name: 80,
  uid: 120,
  pid: 128,
  parent: 132,
  begin: 136,
  elapsed: 144,
  user: 152,
  system: 160,
  readBytes: 248,
  writtenBytes: 256,
  cancelledBytes: 264,
  sleeps: 272,
  begin64: 344,
  process: 368,
}
const nameBytes = 32
const leastBytes = 280

function message(
  family: number,
  command: number,
  attribute: { readonly type: number; readonly text: string },
): Uint8Array {
  const text = new TextEncoder().encode(`${attribute.text}\0`)
  const bytes = new Uint8Array(headerBytes + aligned(4 + text.length))
  const view = new DataView(bytes.buffer)
  view.setUint32(0, bytes.length, true)
  view.setUint16(4, family, true)
  view.setUint16(6, requestFlag | acknowledge, true)
  view.setUint8(16, command)
  view.setUint8(17, 1)
  view.setUint16(headerBytes, 4 + text.length, true)
  view.setUint16(headerBytes + 2, attribute.type, true)
  bytes.set(text, headerBytes + 4)
  return bytes
}

/** Asks for the number of the family that taskstats are. */
export const familyRequest = (): Uint8Array =>
  message(genericControl, getFamily, { type: familyName, text: 'TASKSTATS' })

/** Asks to be told of every task that ends on these CPUs, such as `0-3`. */
export const listenRequest = (family: number, cpus: string): Uint8Array =>
  message(family, taskstatsGet, { type: registerCpus, text: cpus })

/** The number of the family in an answer to `familyRequest`; undefined where it has none. */
export function parseFamily(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < headerBytes || view.getUint16(4, true) !== genericControl) return undefined
  const place = attributeOf(view, headerBytes, bytes.length, familyId)
  return place === undefined ? undefined : view.getUint16(place.from, true)
}

/** Whether the kernel did what was asked: 0, or the number of the error; undefined where this is no answer to that. */
export function parseAcknowledgement(bytes: Uint8Array): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < headerBytes || view.getUint16(4, true) !== errorMessage) return undefined
  return -view.getInt32(16, true)
}

/** Reads the ends of tasks in what came. What is not one is passed over. */
export function parseTaskEnds(bytes: Uint8Array, into: TaskEnd[]): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let start = 0
  while (start + headerBytes <= bytes.length) {
    const length = view.getUint32(start, true)
    if (length < headerBytes || start + length > bytes.length) return
    const group = attributeOf(view, start + headerBytes, start + length, aggregatedPid)
    const found = group && attributeOf(view, group.from, group.to, stats)
    if (found !== undefined && found.to - found.from >= leastBytes)
      into.push(endIn(view, bytes, found.from, found.to - found.from))
    start += aligned(length)
  }
}

function endIn(view: DataView, bytes: Uint8Array, from: number, length: number): TaskEnd {
  const pid = view.getUint32(from + at.pid, true)
  const hasProcess = length >= at.process + 4
  const written = long(view, from + at.writtenBytes) - long(view, from + at.cancelledBytes)
  return {
    pid,
    processId: (hasProcess ? view.getUint32(from + at.process, true) : 0) || pid,
    parentPid: view.getUint32(from + at.parent, true),
    uid: view.getUint32(from + at.uid, true),
    command: nameIn(bytes, from + at.name),
    cpuSeconds: cpuSeconds(view, from),
    readBytes: long(view, from + at.readBytes),
    writeBytes: Math.max(0, written),
    startedAt:
      length >= at.begin64 + 8
        ? long(view, from + at.begin64)
        : view.getUint32(from + at.begin, true),
  }
}

/** Not by BigInt: there may be thousands of these a second. */
const long = (view: DataView, offset: number): number =>
  view.getUint32(offset, true) + view.getUint32(offset + 4, true) * 2 ** 32

function nameIn(bytes: Uint8Array, from: number): string {
  let name = ''
  for (let position = from; position < from + nameBytes; position++) {
    const byte = bytes[position] ?? 0
    if (byte === 0) break
    name += String.fromCharCode(byte)
  }
  return name
}

/** From here on what the scheduler has added up by the last tick is near enough. */
const longSeconds = 0.04

/**
 * How much a task ran. What the kernel says is what it had added up at the last tick, or switch to another task: of two
 * milliseconds that may be nothing. But who never slept ran for all the time that it did not wait for a CPU; and of the
 * short ones that slept, ticks are right on average.
 */
function cpuSeconds(view: DataView, from: number): number {
  const ran = long(view, from + at.ranNanoseconds) / 1e9
  if (ran >= longSeconds) return ran
  if (long(view, from + at.sleeps) > 0)
    return Math.max(ran, (long(view, from + at.user) + long(view, from + at.system)) / 1e6)
  const elapsed = long(view, from + at.elapsed) / 1e6
  return Math.max(ran, elapsed - long(view, from + at.waitedNanoseconds) / 1e9)
}

interface AttributePlace {
  readonly from: number
  readonly to: number
}

function attributeOf(
  view: DataView,
  from: number,
  to: number,
  wanted: number,
): AttributePlace | undefined {
  let position = from
  while (position + 4 <= to) {
    const length = view.getUint16(position, true)
    if (length < 4 || position + length > to) return undefined
    // The two highest bits say how the content is written.
    if ((view.getUint16(position + 2, true) & 0x3fff) === wanted)
      return { from: position + 4, to: position + length }
    position += aligned(length)
  }
  return undefined
}

const aligned = (length: number): number => (length + 3) & ~3
