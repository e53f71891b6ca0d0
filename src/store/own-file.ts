import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  statSync,
  type Stats,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makePrivateDirectories, openNew } from './private-file.ts'

/** Whether this is what others find there: they may have taken the file away, or put another in its place. */
export function isStillAt(path: string, descriptor: number): boolean {
  const there = statSync(path, { throwIfNoEntry: false })
  return there !== undefined && there.ino === fstatSync(descriptor).ino
}

/** All of a file, though it may have no name any more. */
export function contentOf(descriptor: number): Buffer {
  const bytes = Buffer.alloc(fstatSync(descriptor).size)
  let length = 0
  while (length < bytes.length) {
    const more = readSync(descriptor, bytes, length, bytes.length - length, length)
    if (more === 0) break
    length += more
  }
  return bytes.subarray(0, length)
}

/** Whether this is a directory that we made, and only we can put something into. */
export const isOursAlone = (found: Stats): boolean =>
  found.isDirectory() && found.uid === process.geteuid?.() && (found.mode & 0o022) === 0

/**
 * Makes a file that is ours alone, and its directory where that is missing. Fails where there is one, and where the
 * directory is not ours alone: it is held open meanwhile, for another may take its place at any moment.
 */
export function openOwnFile(path: string, where: Parameters<typeof openNew>[1]): number {
  const directory = dirname(path)
  const held = hold(directory)
  try {
    if (!isOursAlone(fstatSync(held))) throw new Error(`${directory} is not private to you`)
    const inside = `/proc/self/fd/${held}`
    // Without /proc there is only the name.
    return openNew(join(existsSync(inside) ? inside : directory, basename(path)), where)
  } finally {
    closeSync(held)
  }
}

function hold(directory: string): number {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants
  try {
    return openSync(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    makePrivateDirectories(directory)
    return openSync(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  }
}
