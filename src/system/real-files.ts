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
  renameSync,
  rmdirSync,
  statfsSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { asReading } from './as-reading.ts'
import { fingerprint, hashOf } from './fingerprint.ts'
import { makeDirectories } from './held-directory.ts'
import { followLinks, RefusedFile } from './link-path.ts'
import { readAt, readBounded, readKernelText, readWhole } from './read-file.ts'
import type { Files, SavedAs } from './system.ts'
import { writeAnew, writeWhole, type WholeFile } from './whole-file.ts'

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants

export const realFiles: Files = {
  // Node has no locks; with libc there are.
  tryLock: () => 'unavailable',
  readText: (path) => asReading(path, () => readKernelText(path)),
  readUtf8: (path, mostBytes, kind) => asReading(path, () => readBounded(path, mostBytes, kind)),
  list: (path) => asReading(path, () => readdirSync(path)),
  directorySize(path) {
    try {
      return statSync(path, { throwIfNoEntry: false })?.size ?? Number.NaN
    } catch {
      return Number.NaN
    }
  },
  readLink: (path) => asReading(path, () => readlinkSync(path)),
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
  lookAt(descriptor, path) {
    try {
      const { size, ino, dev } = fstatSync(descriptor)
      const there = statSync(path, { throwIfNoEntry: false })
      return { sizeBytes: size, isInPlace: there?.ino === ino && there.dev === dev }
    } catch {
      // What is at the path may not be ours to look at.
      return undefined
    }
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
    asReading(path, () => {
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
    asReading(path, () => {
      writeWhole(path, { parts, ...kinds[kind] })
      return true as const
    }),
  saveAnew: (path, parts, kind) =>
    asReading(path, () => {
      writeAnew(path, { parts, ...kinds[kind] })
      return true as const
    }),
  readPackage: (name) =>
    asReading(name, () => {
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
      const { dev, ino, birthtimeMs, mode, uid, gid } = statSync(path)
      return `${dev}:${ino}:${birthtimeMs}:${mode}:${uid}:${gid}`
    } catch {
      return undefined
    }
  },
  makeDirectories: (path) =>
    asReading(path, () => {
      makeDirectories(path)
      return true as const
    }),
  freeBytes: (directory) =>
    asReading(directory, () => {
      const { bavail, bsize } = statfsSync(directory)
      return bavail * bsize
    }),
  isMissing(path) {
    try {
      // Also for ENOTDIR, and for a link that leads nowhere.
      return statSync(path, { throwIfNoEntry: false }) === undefined
    } catch {
      return false
    }
  },
  fingerprint: (path) => asReading(path, () => fingerprint(path)),
  makeDirectory: (path) =>
    asReading(path, () => {
      mkdirSync(path)
      return true as const
    }),
  removeDirectory: (path) =>
    asReading(path, () => {
      rmdirSync(path)
      return true as const
    }),
  rename: (path, to) =>
    asReading(path, () => {
      renameSync(path, to)
      return true as const
    }),
  removeFile: (path) =>
    asReading(path, () => {
      unlinkSync(path)
      return true as const
    }),
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
