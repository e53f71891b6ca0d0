import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { TryLock } from '../model/file-lock.ts'
import { makePrivateDirectories } from './private-file.ts'

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants
const lineEnd = 10

/** Who holds the lock for longer was stopped; its line was written in one call or never will be. */
const mostTries = 500
const pauseSeconds = 0.005

interface HistoryDoor {
  readonly tryLock: TryLock
  pause(seconds: number): Promise<void>
}

/**
 * Adds a line to a file of lines that several programs may write to at once. The line goes to the end in one call, which
 * local disks never mix with another; the lock is for the others, and for a disk that is full in the middle of a line.
 */
export async function addHistoryLine(path: string, line: string, door: HistoryDoor): Promise<void> {
  makePrivateDirectories(dirname(path))
  // A pipe or a link that somebody put there is not taken for the history.
  const descriptor = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  try {
    const found = fstatSync(descriptor)
    if (!found.isFile()) throw new Error(`${path} is not a file`)
    // What is written there would be theirs to read.
    if (found.uid !== process.geteuid?.()) throw new Error(`${path} belongs to somebody else`)
    const isLocked = await lock(descriptor, door)
    append(descriptor, `${line}\n`, isLocked)
  } finally {
    closeSync(descriptor)
  }
}

async function lock(descriptor: number, { tryLock, pause }: HistoryDoor): Promise<boolean> {
  for (let tries = 0; tries < mostTries; tries++) {
    const answer = tryLock(descriptor, 'exclusive')
    if (answer !== 'held by another') return answer === 'got'
    await pause(pauseSeconds)
  }
  return false
}

function append(descriptor: number, line: string, isLocked: boolean): void {
  const { size } = fstatSync(descriptor)
  // A line that was cut off by a full disk must not spoil the next one.
  const bytes = Buffer.from(endsWithLine(descriptor, size) ? line : `\n${line}`)
  try {
    for (let written = 0; written < bytes.length;)
      written += writeSync(descriptor, bytes, written, bytes.length - written)
  } catch (error) {
    if (isLocked) ftruncateSync(descriptor, size)
    throw error
  }
}

function endsWithLine(descriptor: number, size: number): boolean {
  const last = Buffer.alloc(1)
  return size === 0 || (readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] === lineEnd)
}
