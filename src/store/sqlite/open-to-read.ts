import {
  closeSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** What SQLite keeps beside a file until it is part of it: a log, or a journal of a change that was never finished. */
const companions = ['-wal', '-journal']

/**
 * Opens an SQLite file that we cannot, or shall not, write to. SQLite wants to put a file beside one that keeps a log,
 * though nobody writes: in a directory that is not ours, or on a full disk, it cannot. Where there is nothing in a log
 * the file is all there is, and nobody has it open; else a copy is read.
 */
export function openToRead(file: string): DatabaseSync {
  try {
    return probed(new DatabaseSync(file, { readOnly: true, timeout: 10_000 }))
  } catch (error) {
    if (!needsRoom(error)) throw error
    return companions.some((end) => hasContent(file + end)) ? openCopy(file) : openAsItIs(file)
  }
}

/** Whoever looks again in a moment does not wait for others who write. */
const followMilliseconds = 20

/** The same for a file that is read again and again while others write to it: never a copy, which would not change. */
export const openToFollow = (file: string): DatabaseSync =>
  probed(new DatabaseSync(file, { readOnly: true, timeout: followMilliseconds }))

/** Follows a file where SQLite has the room for it; else it is read as it is now, which `isStill`. */
export function openToFollowOrRead(file: string): {
  readonly database: DatabaseSync
  readonly isStill: boolean
} {
  try {
    return { database: openToFollow(file), isStill: false }
  } catch (error) {
    if (!needsRoom(error)) throw error
    return { database: openToRead(file), isStill: true }
  }
}

/** What stands for a file that is not there. */
export const openEmpty = (): DatabaseSync => new DatabaseSync(':memory:')

/**
 * Opens a file that is never written to again once its writer has closed it, such as a run's series. SQLite would put an
 * empty log and its index beside one that kept a log, and one that only reads cannot take them away again.
 */
export function openFinished(file: string): DatabaseSync {
  const isFinished = keepsLog(file) && !companions.some((end) => existsSync(file + end))
  return isFinished ? openAsItIs(file) : openToRead(file)
}

/** Where an SQLite file says how it is to be written and read: 2 is with a log, which is there as long as it is open. */
const formatBytes = { offset: 18, withLog: 2 }

function keepsLog(file: string): boolean {
  const descriptor = openSync(file, 'r')
  try {
    const found = new Uint8Array(2)
    readSync(descriptor, found, 0, found.length, formatBytes.offset)
    return found.every((byte) => byte === formatBytes.withLog)
  } finally {
    closeSync(descriptor)
  }
}

/** READONLY, IOERR, FULL and CANTOPEN: what SQLite says where it cannot make what it wants beside the file. */
const troubles: ReadonlySet<number> = new Set([8, 10, 13, 14])

const needsRoom = (error: unknown): boolean =>
  error instanceof Error &&
  'errcode' in error &&
  typeof error.errcode === 'number' &&
  troubles.has(error.errcode & 0xff)

const hasContent = (path: string): boolean =>
  (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0

function openAsItIs(file: string): DatabaseSync {
  const url = new URL(`file://${encodeURI(file).replaceAll('?', '%3f').replaceAll('#', '%23')}`)
  url.searchParams.set('immutable', '1')
  return probed(new DatabaseSync(url, { readOnly: true }))
}

/** Memory first: a disk may be full or slow. */
const copyPlaces = ['/dev/shm', '/tmp', '/var/tmp']

/** A copy of our own, with its log, which vanishes with us: its names go as soon as it is open. */
export function openCopy(file: string): DatabaseSync {
  let failure: unknown
  for (const place of copyPlaces) {
    let directory: string | undefined
    try {
      directory = mkdtempSync(`${place}/jobmeter-copy-`)
      const copy = `${directory}/copy.db`
      copyToWrite(file, copy)
      for (const end of companions) if (hasContent(file + end)) copyToWrite(file + end, copy + end)
      const database = probed(new DatabaseSync(copy))
      // Whoever brings it to a newer version can make no journal beside it.
      database.exec('PRAGMA journal_mode = MEMORY')
      return database
    } catch (error) {
      failure ??= error
    } finally {
      if (directory !== undefined) rmSync(directory, { recursive: true, force: true })
    }
  }
  throw failure
}

/** Opened for certain: SQLite reads nothing until it is asked. */
function probed(database: DatabaseSync): DatabaseSync {
  try {
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** A copy has the mode of what it was made of, which may be for reading alone. */
function copyToWrite(file: string, copy: string): void {
  copyFileSync(file, copy)
  chmodSync(copy, 0o600)
}
