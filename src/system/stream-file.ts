import { closeSync, constants, fstatSync, openSync, writeSync, type Stats } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { insideDirectory } from './held-directory.ts'
import { RefusedFile } from './link-path.ts'

const { O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants

/** Writes to a device, a pipe or a descriptor of ours, such as /dev/stdout: nothing to put another in place of. */
export function writeIntoStream(path: string, parts: readonly Uint8Array[]): void {
  const own = /^\/proc\/self\/fd\/(\d+)$/.exec(path)?.[1]
  // Not opened anew, which would begin at the start of the file and let what follows write over it.
  if (own !== undefined) return writeAll(Number(own), parts)
  // The kernel's own links, which nobody can put another thing in place of.
  if (path.startsWith('/proc/')) return writeOpened(path, openOrExplain(path, path, 0), parts)
  insideDirectory(dirname(path), (held) => {
    const descriptor = openOrExplain(join(held, basename(path)), path, O_NOFOLLOW)
    writeOpened(path, descriptor, parts, refuseOther)
  })
}

function openOrExplain(held: string, path: string, flags: number): number {
  try {
    // A pipe without a reader would keep us waiting.
    return openSync(held, O_WRONLY | O_NONBLOCK | flags)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENXIO') throw new RefusedFile(`${path} is a pipe or socket that nobody reads`)
    if (code === 'ELOOP') throw new RefusedFile(`${path} was replaced a moment ago`)
    throw error
  }
}

function writeOpened(
  path: string,
  descriptor: number,
  parts: readonly Uint8Array[],
  refuse: (path: string, opened: Stats) => void = () => {},
): void {
  try {
    refuse(path, fstatSync(descriptor))
    writeAll(descriptor, parts)
  } finally {
    closeSync(descriptor)
  }
}

/** By what was opened: whoever owns the directory may have put a file there since we looked. */
function refuseOther(path: string, opened: Stats): void {
  if (opened.isBlockDevice()) throw new RefusedFile(`${path} is a disk`)
  if (!opened.isFIFO() && !opened.isCharacterDevice())
    throw new RefusedFile(`${path} was replaced a moment ago`)
  const isTrusted = opened.uid === process.geteuid?.() || opened.uid === 0
  if (opened.isFIFO() && !isTrusted)
    throw new RefusedFile(`${path} is a pipe that somebody else created`)
}

const pauseMilliseconds = 5

/** Waits for the reader where a pipe is full. */
function writeAll(descriptor: number, parts: readonly Uint8Array[]): void {
  for (const part of parts)
    for (let written = 0; written < part.length;)
      try {
        written += writeSync(descriptor, part, written)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMilliseconds)
      }
}
