import { closeSync, constants, openSync, readSync } from 'node:fs'
import { StoreError } from '../errors.ts'

/** `JMTR`: tells `file` and us that an SQLite file is a jobmeter ledger; kept in the file's `application_id`. */
export const applicationId = 0x4a4d5452

/** The version this build writes, kept in the file's `user_version`: the number of migrations. */
export const newestVersion = 12

/** Refuses a file that this build cannot use. */
export function refuseOthers(path: string, id: number, version: number): void {
  if (id !== applicationId)
    throw new StoreError(
      'not-a-ledger',
      path,
      'this is a database of another program; name another file with --db or JOBMETER_DB',
    )
  if (version > newestVersion)
    throw new StoreError(
      'newer',
      path,
      `written by version ${version}; this build reads up to ${newestVersion}. ` +
        'Use a newer jobmeter, or name another file with --db or JOBMETER_DB',
    )
}

/** A trigger changes what is written, a view what is read: a command in the ledger would not be the one that was put there. */
export const tamperedWith = (path: string): StoreError =>
  new StoreError(
    'not-a-ledger',
    path,
    'this ledger contains a trigger or a view, which jobmeter never creates; ' +
      'drop it with sqlite3, or name another file with --db or JOBMETER_DB',
  )

const headerBytes = 100
const versionOffset = 60
const idOffset = 68

/**
 * Whether the file is a ledger, or is still to be made, as far as its first bytes tell (https://sqlite.org/fileformat.html);
 * false where only SQLite can say. Not for a process that has the file open already: closing it here would drop the
 * locks of that connection.
 */
export function looksUsable(path: string): boolean {
  const header = Buffer.alloc(headerBytes)
  let descriptor: number
  try {
    // What stands there may be a pipe: nobody may ever write to it.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
  try {
    if (readSync(descriptor, header, 0, headerBytes, 0) < headerBytes) return false
  } catch {
    return false
  } finally {
    closeSync(descriptor)
  }
  return (
    header.toString('latin1', 0, 16) === 'SQLite format 3\0' &&
    header.readUInt32BE(idOffset) === applicationId &&
    header.readUInt32BE(versionOffset) <= newestVersion
  )
}
