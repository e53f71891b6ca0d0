import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { failed, ok, unavailable, type Reading } from '../model/reading.ts'
import type { Files, Fingerprint } from './system.ts'

/** Shorter answers are whole: a process's own files all are, and cost one call. */
const partialReadBytes = 2048

export const realFiles: Files = {
  // Node has no locks; with libc there are.
  tryLock: () => 'unavailable',
  readText: (path) => attempt(path, () => readKernelText(path)),
  readUtf8: (path) => attempt(path, () => readFileSync(path, 'utf8')),
  list: (path) => attempt(path, () => readdirSync(path)),
  readLink: (path) => attempt(path, () => readlinkSync(path)),
  open(path) {
    try {
      return openSync(path, 'r')
    } catch {
      return -1
    }
  },
  read(descriptor, into) {
    try {
      let length = readSync(descriptor, into, 0, into.length, 0)
      // The kernel hands out files of many records about a page at a time, however large the buffer:
      // of 1,100 members of a cgroup, one read tells 682.
      while (length >= partialReadBytes && length < into.length) {
        const more = readSync(descriptor, into, length, into.length - length, length)
        if (more === 0) break
        length += more
      }
      return length
    } catch {
      return -1
    }
  },
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
  save: (path, parts) =>
    attempt(path, () => {
      saveParts(path, parts)
      return true as const
    }),
  readPackage: (name) => attempt(name, () => readFileSync(packageFile(name))),
  isWritable(path) {
    try {
      accessSync(path, constants.W_OK)
      return true
    } catch {
      return false
    }
  },
  makeDirectories: (path) =>
    attempt(path, () => {
      makeUpwards(resolve(path))
      return true as const
    }),
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

// Not mkdir's own `recursive`: under /proc, where mkdir answers ENOENT, Node 24 tries for ever.
function makeUpwards(path: string): void {
  if (existsSync(path)) return
  makeUpwards(dirname(path))
  mkdirSync(path)
}

/** Under another name first: who reads the file meanwhile sees the old one or the new one, never a part. */
function saveParts(path: string, parts: readonly Uint8Array[]): void {
  const unfinished = `${path}.${process.pid}`
  try {
    const descriptor = openSync(unfinished, 'w')
    try {
      for (const part of parts) writeFileSync(descriptor, part)
    } finally {
      closeSync(descriptor)
    }
    renameSync(unfinished, path)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}

function packageFile(name: string): string {
  const { createRequire } = process.getBuiltinModule('node:module')
  return createRequire(import.meta.url).resolve(name)
}

const mostHashedBytes = 2 ** 20

function fingerprint(path: string): Fingerprint {
  const { size, mtimeMs } = statSync(path)
  const { createHash } = process.getBuiltinModule('node:crypto')
  return {
    sizeBytes: size,
    modifiedSeconds: mtimeMs / 1000,
    hash:
      size > mostHashedBytes
        ? null
        : createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 32),
  }
}

const notHere = new Set([
  'ENOENT',
  'MODULE_NOT_FOUND',
  'ENOTDIR',
  'ESRCH',
  'ENODEV',
  'ENOTSUP',
  'EOPNOTSUPP',
])
const notAllowed = new Set(['EACCES', 'EPERM', 'EROFS'])

function attempt<T>(path: string, action: () => T): Reading<T> {
  try {
    return ok(action())
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    if (notHere.has(code)) return unavailable(`${path} is not there`)
    if (notAllowed.has(code)) return unavailable(`${path}: no permission`)
    return failed(`${path}: ${code}`)
  }
}
