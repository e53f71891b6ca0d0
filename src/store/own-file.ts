import { fstatSync, readSync, statSync } from 'node:fs'
import { makeDirectories, openNew } from './private-file.ts'

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

/** Makes a file that is ours alone, and its directory where that is missing. Fails where there is one. */
export function openPrivate(path: string, where: Parameters<typeof openNew>[1]): number {
  try {
    return openNew(path, where)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    makeDirectories(path.slice(0, path.lastIndexOf('/')))
    return openNew(path, where)
  }
}
