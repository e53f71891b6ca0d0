import { isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { askedSize } from '../model/bytes.ts'
import { RefusedFile } from './link-path.ts'
import type { FileKind } from './system.ts'

/** Shorter answers are whole: a process's own files all are, and cost one call. */
const partialReadBytes = 2048

/** Reads from a place in a file to the same place in a buffer; below 0 where that fails. */
type ReadAt = (descriptor: number, into: Uint8Array, offset: number) => number

export function readAt(descriptor: number, into: Uint8Array, offset: number): number {
  try {
    return readSync(descriptor, into, offset, into.length - offset, offset)
  } catch {
    return -1
  }
}

/**
 * The kernel hands out files of many records about a page at a time, however large the buffer: of 1,100 members of a
 * cgroup, one read tells 682.
 */
export function readWhole(read: ReadAt, descriptor: number, into: Uint8Array): number {
  let length = read(descriptor, into, 0)
  while (length >= partialReadBytes && length < into.length) {
    const more = read(descriptor, into, length)
    if (more < 0) return -1
    if (more === 0) break
    length += more
  }
  return length < 0 ? -1 : length
}

const chunk = Buffer.allocUnsafe(16_384)

/** What the kernel tells has no length beforehand: readFileSync would ask for it, and put parts together. */
export function readKernelText(path: string): string {
  const descriptor = openSync(path, 'r')
  try {
    let text = ''
    for (;;) {
      const length = readSync(descriptor, chunk, 0, chunk.length, -1)
      if (length === 0) return text
      text += chunk.toString('latin1', 0, length)
    }
  } finally {
    closeSync(descriptor)
  }
}

/** Not with U+FFFD for what is none: a command would run that nobody wrote. */
function utf8Text(path: string, bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new RefusedFile(`${path} is not UTF-8 text`)
  return bytes.toString('utf8')
}

/** By what is read, not by what the file says of its size: a device says 0 and never ends. */
export function readBounded(path: string, mostBytes: number, kind: FileKind = 'any'): string {
  // Whoever opens a pipe waits until somebody writes to it.
  const flags = kind === 'plain' ? constants.O_RDONLY | constants.O_NONBLOCK : 'r'
  // A socket is read as it was given to us: it cannot be opened by a name.
  const isGiven = path === '/dev/stdin'
  const descriptor = isGiven ? 0 : openSync(path, flags)
  try {
    if (kind === 'plain' && !fstatSync(descriptor).isFile())
      throw new RefusedFile(`${path} is not a regular file`)
    const parts: Buffer[] = []
    for (let total = 0; ;) {
      const part = Buffer.allocUnsafe(2 ** 20)
      const length = readOnceThere(descriptor, part)
      if (length === 0) return utf8Text(path, Buffer.concat(parts))
      parts.push(part.subarray(0, length))
      total += length
      if (total > mostBytes) throw new RefusedFile(`${path} has more than ${askedSize(mostBytes)}`)
    }
  } finally {
    if (!isGiven) closeSync(descriptor)
  }
}

/** Whoever gave us a descriptor may have set it not to wait. */
function readOnceThere(descriptor: number, into: Buffer): number {
  for (;;)
    try {
      return readSync(descriptor, into)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(nobody, 0, 0, againMilliseconds)
    }
}

const againMilliseconds = 10
/** Nobody wakes who waits at it. */
const nobody = new Int32Array(new SharedArrayBuffer(4))
