/**
 * Gives a program places to look for its libraries before all others, as `patchelf --set-rpath --force-rpath` does. That
 * tool lays the file out anew, and is seldom installed; here nothing moves. The path goes where the kernel maps zeros
 * anyway, between the end of a segment and the end of its page, and its entry into one of those that linkers leave free.
 *
 * It is an RPATH, not a RUNPATH: it comes before LD_LIBRARY_PATH, which speaks of the libraries of the user's jobs.
 */
export function setLibraryPath(program: Buffer, path: string): void {
  if (program.readUInt32BE(0) !== 0x7f454c46 || program[4] !== 2 || program[5] !== 1)
    throw new Error('the program is not a 64-bit little-endian ELF file')
  const segments = readSegments(program)
  const dynamic = segments.find(({ type }) => type === segmentTypes.dynamic)
  if (dynamic === undefined) throw new Error('the program is linked statically')
  const entries = readEntries(program, dynamic)
  if (entries.some(({ tag }) => tag === tags.rpath || tag === tags.runpath))
    throw new Error('the program has a library path already')
  const strings = entries.find(({ tag }) => tag === tags.strings)?.value
  const free = entries.filter(({ tag }) => tag === tags.none)
  const [entry] = free
  // The last one ends the table.
  if (strings === undefined || entry === undefined || free.length < 2)
    throw new Error('the program has no room for another entry in its dynamic section')
  const bytes = Buffer.from(`${path}\0`)
  const room = segments.find((segment) => hasRoom(program, segment, strings, bytes.length))
  if (room === undefined) throw new Error('the program has no room for a library path')
  bytes.copy(program, room.offset + room.fileBytes)
  program.writeBigUInt64LE(BigInt(tags.rpath), entry.at)
  program.writeBigUInt64LE(BigInt(room.address + room.fileBytes - strings), entry.at + 8)
}

const segmentTypes = { load: 1, dynamic: 2 } as const
const tags = { none: 0, strings: 5, rpath: 15, runpath: 29 } as const
const pageBytes = 4096
const entryBytes = 16

interface Segment {
  readonly type: number
  readonly offset: number
  readonly address: number
  readonly fileBytes: number
  readonly memoryBytes: number
}

interface Entry {
  readonly at: number
  readonly tag: number
  readonly value: number
}

const readNumber = (program: Buffer, at: number): number => Number(program.readBigUInt64LE(at))

function readSegments(program: Buffer): Segment[] {
  const start = readNumber(program, 32)
  const each = program.readUInt16LE(54)
  return Array.from({ length: program.readUInt16LE(56) }, (_, index) => {
    const at = start + index * each
    return {
      type: program.readUInt32LE(at),
      offset: readNumber(program, at + 8),
      address: readNumber(program, at + 16),
      fileBytes: readNumber(program, at + 32),
      memoryBytes: readNumber(program, at + 40),
    }
  })
}

function readEntries(program: Buffer, { offset, fileBytes }: Segment): Entry[] {
  return Array.from({ length: Math.floor(fileBytes / entryBytes) }, (_, index) => {
    const at = offset + index * entryBytes
    return { at, tag: readNumber(program, at), value: readNumber(program, at + 8) }
  })
}

/** Places of texts count from the table of strings, upwards. A segment that is larger in memory is zeroed there. */
function hasRoom(program: Buffer, segment: Segment, strings: number, length: number): boolean {
  const { type, offset, address, fileBytes, memoryBytes } = segment
  if (type !== segmentTypes.load || memoryBytes !== fileBytes || address + fileBytes < strings)
    return false
  const end = offset + fileBytes
  const leftOfPage = (pageBytes - (end % pageBytes)) % pageBytes
  return leftOfPage >= length && program.subarray(end, end + length).every((byte) => byte === 0)
}
