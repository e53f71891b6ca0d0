import { isUtf8 } from 'node:buffer'
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmdirSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { askedSize } from '../model/bytes.ts'
import { failed, ok, unavailable, type Reading } from '../model/reading.ts'
import { makeDirectories } from './held-directory.ts'
import { followLinks, RefusedFile } from './link-path.ts'
import type { Files, Fingerprint, SavedAs } from './system.ts'
import { writeAnew, writeWhole, type WholeFile } from './whole-file.ts'

/** Shorter answers are whole: a process's own files all are, and cost one call. */
const partialReadBytes = 2048
const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants

export const realFiles: Files = {
  // Node has no locks; with libc there are.
  tryLock: () => 'unavailable',
  readText: (path) => attempt(path, () => readKernelText(path)),
  readUtf8: (path, mostBytes) => attempt(path, () => readBounded(path, mostBytes)),
  list: (path) => attempt(path, () => readdirSync(path)),
  readLink: (path) => attempt(path, () => readlinkSync(path)),
  open(path) {
    try {
      return openSync(path, 'r')
    } catch {
      return -1
    }
  },
  openLog(path) {
    try {
      const descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      if (fstatSync(descriptor).isFile()) return descriptor
      closeSync(descriptor)
    } catch {
      // It is not there, or not ours to read.
    }
    return -1
  },
  read: (descriptor, into) => readWhole(readAt, descriptor, into),
  readFrom(descriptor, offset, into) {
    try {
      return readSync(descriptor, into, 0, into.length, offset)
    } catch {
      return -1
    }
  },
  close(descriptor) {
    closeSync(descriptor)
  },
  write: (path, text) =>
    attempt(path, () => {
      // Not 'w': kernel files are never created or truncated.
      writeFileSync(path, text, { flag: 'r+' })
      return true as const
    }),
  writeEach(path, texts) {
    let descriptor
    try {
      descriptor = openSync(path, 'r+')
    } catch {
      return
    }
    for (const text of texts)
      try {
        writeSync(descriptor, text)
      } catch {
        // A process that has ended meanwhile cannot be moved any more.
      }
    closeSync(descriptor)
  },
  save: (path, parts, kind) =>
    attempt(path, () => {
      writeWhole(path, { parts, ...kinds[kind] })
      return true as const
    }),
  saveAnew: (path, parts, kind) =>
    attempt(path, () => {
      writeAnew(path, { parts, ...kinds[kind] })
      return true as const
    }),
  readPackage: (name) =>
    attempt(name, () => {
      const bytes = readFileSync(packageFile(name))
      return { bytes, hash: hashOf(bytes) }
    }),
  isWritable(path) {
    try {
      accessSync(path, constants.W_OK)
      return true
    } catch {
      return false
    }
  },
  foreignLinkTo(directory) {
    try {
      followLinks(join(directory, 'inside'))
      return undefined
    } catch (error) {
      return error instanceof RefusedFile ? error.message : undefined
    }
  },
  directoryId(path) {
    try {
      const { dev, ino, birthtimeMs } = statSync(path)
      return `${dev}:${ino}:${birthtimeMs}`
    } catch {
      return undefined
    }
  },
  makeDirectories: (path) =>
    attempt(path, () => {
      makeDirectories(path)
      return true as const
    }),
  isMissing(path) {
    try {
      // Also for ENOTDIR, and for a link that leads nowhere.
      return statSync(path, { throwIfNoEntry: false }) === undefined
    } catch {
      return false
    }
  },
  fingerprint: (path) => attempt(path, () => fingerprint(path)),
  makeDirectory: (path) =>
    attempt(path, () => {
      mkdirSync(path)
      return true as const
    }),
  removeDirectory: (path) =>
    attempt(path, () => {
      rmdirSync(path)
      return true as const
    }),
}

/** Reads from a place in a file to the same place in a buffer; below 0 where that fails. */
type ReadAt = (descriptor: number, into: Uint8Array, offset: number) => number

function readAt(descriptor: number, into: Uint8Array, offset: number): number {
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
function readKernelText(path: string): string {
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
function readBounded(path: string, mostBytes: number): string {
  const descriptor = openSync(path, 'r')
  try {
    const parts: Buffer[] = []
    for (let total = 0; ;) {
      const part = Buffer.allocUnsafe(2 ** 20)
      const length = readSync(descriptor, part)
      if (length === 0) return utf8Text(path, Buffer.concat(parts))
      parts.push(part.subarray(0, length))
      total += length
      if (total > mostBytes) throw new RefusedFile(`${path} has more than ${askedSize(mostBytes)}`)
    }
  } finally {
    closeSync(descriptor)
  }
}

/** Before the umask, which can only take away: nothing of ours is ever for others to write to. */
const kinds: Readonly<Record<SavedAs, Omit<WholeFile, 'parts'>>> = {
  own: { mode: 0o600, durable: false },
  page: { mode: 0o644, durable: false },
  source: { mode: 0o644, durable: true },
}

function packageFile(name: string): string {
  const { createRequire } = process.getBuiltinModule('node:module')
  return createRequire(import.meta.url).resolve(name)
}

const mostHashedBytes = 2 ** 20

function fingerprint(path: string): Fingerprint {
  const found = statSync(path)
  return {
    sizeBytes: found.size,
    modifiedSeconds: found.mtimeMs / 1000,
    hash: found.isFile() && found.size <= mostHashedBytes ? hashOfFile(path) : null,
  }
}

/** Null where it is no plain file any more, or longer than it seemed: pipes and devices may never end. */
function hashOfFile(path: string): string | null {
  const descriptor = openSync(path, O_RDONLY | O_NONBLOCK)
  try {
    if (!fstatSync(descriptor).isFile()) return null
    const bytes = Buffer.allocUnsafe(mostHashedBytes + 1)
    let length = 0
    for (let more = 1; more > 0 && length < bytes.length; length += more)
      more = readSync(descriptor, bytes, length, bytes.length - length, null)
    return length > mostHashedBytes ? null : hashOf(bytes.subarray(0, length))
  } finally {
    closeSync(descriptor)
  }
}

function hashOf(bytes: Uint8Array): string {
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32)
}

const notHere = new Set(['ENOENT', 'MODULE_NOT_FOUND', 'ESRCH', 'ENODEV', 'ENOTSUP', 'EOPNOTSUPP'])
const notAllowed = new Set(['EACCES', 'EPERM', 'EROFS'])

/** Which part of a path is taken for a folder and is none. */
function notFolder(path: string): string {
  let part = dirname(path)
  while (part !== dirname(part) && !isFile(part)) part = dirname(part)
  return isFile(part) ? `${path}: ${part} is not a directory` : `${path} does not exist`
}

function isFile(path: string): boolean {
  try {
    return !statSync(path).isDirectory()
  } catch {
    return false
  }
}

function attempt<T>(path: string, action: () => T): Reading<T> {
  try {
    return ok(action())
  } catch (error) {
    if (error instanceof RefusedFile) return failed(error.message)
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    if (code === 'ENOTDIR') return unavailable(notFolder(path))
    if (notHere.has(code)) return unavailable(`${path} does not exist`)
    if (notAllowed.has(code)) return unavailable(`${path}: no permission`)
    return failed(`${path}: ${code}`)
  }
}
