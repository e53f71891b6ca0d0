import { closeSync, existsSync, linkSync, unlinkSync } from 'node:fs'
import { asStoreError } from '../errors.ts'
import { openOwnFile } from '../own-file.ts'
import type { Connection } from '../sqlite/connection.ts'

/**
 * Writes all that an open file holds to a new one, though it may have no name any more: under its own name where nothing
 * has that, else beside it. A log of SQLite's that was left behind would be taken for the new file's.
 */
export function rescue(connection: Connection): string {
  const { path } = connection
  const copy = `${path}.rescued-${process.pid}${Date.now()}`
  try {
    // Empty files are written to; of ours they are private.
    closeSync(openOwnFile(copy, 'anywhere'))
    connection.run('VACUUM INTO ?', copy)
    if (['', '-wal', '-shm', '-journal'].some((end) => existsSync(path + end))) return copy
    return renamed(copy, path)
  } catch (error) {
    throw asStoreError(error, path)
  }
}

/** Not by a rename, which would replace what somebody put there a moment ago. */
function renamed(from: string, to: string): string {
  try {
    linkSync(from, to)
  } catch {
    return from
  }
  unlinkSync(from)
  return to
}
