import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
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
export function readSpool(file: string): SpoolFinding {
  try {
    if (!lstatSync(file).isFile()) return { kind: 'broken', why: 'it is not a file' }
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
    const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      return judge(file, descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? { kind: 'nothing' } : { kind: 'unreadable', why: code ?? message }
  }
}

function judge(file: string, descriptor: number): SpoolFinding {
  const found = fstatSync(descriptor)
  if (!found.isFile()) return { kind: 'broken', why: 'it is not a file' }
  if (!isTrusted(found.uid)) return { kind: 'foreign' }
  if (found.size > mostBytes) return { kind: 'broken', why: 'it is larger than any record' }
  const parsed = parseSpool(readUpTo(descriptor, found.size))
  if (parsed.kind === 'unfinished') {
    const ageSeconds = (Date.now() - found.mtimeMs) / 1000
    return { kind: ageSeconds > abandonedSeconds ? 'abandoned' : 'nothing' }
  }
  if (parsed.kind === 'attempt' && parsed.attempt.start.taskId !== taskOf(basename(file)))
    return { kind: 'broken', why: 'it is named after another task' }
  return parsed
}

/** Whoever may move a file of theirs into a spool of ours. */
const isTrusted = (uid: number): boolean => uid === process.geteuid?.() || uid === 0

function readUpTo(descriptor: number, size: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(size)
  let length = 0
  while (length < size) {
    const more = readSync(descriptor, bytes, length, size - length, length)
    if (more === 0) break
    length += more
  }
  return bytes.subarray(0, length)
}
