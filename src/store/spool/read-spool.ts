import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
} from 'node:fs'
import { basename } from 'node:path'
import type { SpoolPlace } from './spool-directory.ts'
import { isRecord, taskOf } from './spool-names.ts'
import { parseSpool, type SpoolText } from './spool-text.ts'

/** Twice what any runner writes. */
const mostBytes = 2 ** 29

/** A first line takes less than a millisecond to write: one that is unfinished for so long never will be. */
const abandonedSeconds = 60

/** What one entry of a spool turned out to be. */
export type SpoolFinding =
  | Exclude<SpoolText, { kind: 'unfinished' }>
  /** Its job was never started, and nobody writes to it any more. */
  | { readonly kind: 'abandoned' }
  /** Taken in by another meanwhile, or about to be written. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'unreadable'; readonly why: string }

/** The records in a place that is safe; signs of life are none. */
export function spoolEntries({ directory }: SpoolPlace): readonly string[] {
  return readdirSync(directory)
    .filter(isRecord)
    .map((name) => `${directory}/${name}`)
}

/**
 * Reads one entry of a spool, whatever it is: somebody may have put a directory, a pipe that never answers or a link to
 * elsewhere there.
 */
export const readSpool = (file: string): SpoolFinding =>
  readSpoolFile(file, (descriptor, found) => parsedAs(file, descriptor, found))

/** What cannot be used of a spool: it is not there, or not a file of ours. */
export type SpoolTrouble = Extract<
  SpoolFinding,
  { kind: 'nothing' | 'foreign' | 'unreadable' | 'broken' }
>

/** Opens an entry of a spool, if it can be used, and closes it again. */
export function readSpoolFile<T>(
  file: string,
  read: (descriptor: number, found: Stats) => T,
): T | SpoolTrouble {
  try {
    if (!lstatSync(file).isFile()) return { kind: 'broken', why: 'it is not a file' }
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
    const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const found = fstatSync(descriptor)
      return troubleWith(found) ?? read(descriptor, found)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? { kind: 'nothing' } : { kind: 'unreadable', why: code ?? message }
  }
}

function troubleWith(found: Stats): SpoolTrouble | undefined {
  if (!found.isFile()) return { kind: 'broken', why: 'it is not a file' }
  if (!isTrusted(found.uid)) return { kind: 'foreign' }
  return found.size > mostBytes
    ? { kind: 'broken', why: 'it is larger than any record' }
    : undefined
}

function parsedAs(file: string, descriptor: number, found: Stats): SpoolFinding {
  const parsed = parseSpool(readBetween(descriptor, 0, found.size))
  if (parsed.kind === 'unfinished') {
    const ageSeconds = (Date.now() - found.mtimeMs) / 1000
    return { kind: ageSeconds > abandonedSeconds ? 'abandoned' : 'nothing' }
  }
  return parsed.kind === 'attempt' && !isNamedAfter(file, parsed.attempt.start.taskId)
    ? misnamed
    : parsed
}

export const isNamedAfter = (file: string, taskId: string): boolean =>
  taskId === taskOf(basename(file))

export const misnamed: SpoolTrouble = { kind: 'broken', why: 'it is named after another task' }

/** Whoever may move a file of theirs into a spool of ours. */
const isTrusted = (uid: number): boolean => uid === process.geteuid?.() || uid === 0

/** These bytes of a file, or fewer where it has become shorter. */
export function readBetween(descriptor: number, from: number, to: number): Uint8Array {
  const size = Math.max(0, to - from)
  const bytes = Buffer.allocUnsafe(size)
  let length = 0
  while (length < size) {
    const more = readSync(descriptor, bytes, length, size - length, from + length)
    if (more === 0) break
    length += more
  }
  return bytes.subarray(0, length)
}
