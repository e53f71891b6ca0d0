import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Store } from '../store.ts'
import { Connection } from './connection.ts'
import { asStoreError, StoreError } from './errors.ts'
import { migrate } from './migrate.ts'
import { SqliteStore } from './sqlite-store.ts'

const lockWaitMilliseconds = 10_000

/**
 * Opens the ledger, makes it where there is none and upgrades it where it is older.
 *
 * What can be lost: kill -9, of any number of processes, loses nothing that was committed, for the
 * kernel has the log already. Power loss can undo the last commits, those since the log was last
 * synced (SQLite does that every 1,000 pages of log, and when the last connection closes), but
 * never leaves half a record: that is what synchronous=NORMAL means with a write-ahead log. FULL
 * would sync at every commit, some milliseconds each, to protect figures of jobs that the same
 * power loss killed.
 */
export function openSqliteStore(path: string): Store {
  const file = resolve(path)
  try {
    makePrivateFile(file)
    const database = new DatabaseSync(file, { timeout: lockWaitMilliseconds })
    try {
      const connection = new Connection(database, file)
      database.exec('PRAGMA synchronous = NORMAL')
      migrate(connection)
      return new SqliteStore(connection)
    } catch (error) {
      database.close()
      throw error
    }
  } catch (error) {
    throw asStoreError(error, file)
  }
}

/**
 * The ledger holds command lines and parameters: only its owner may read it. SQLite gives its -wal and
 * -shm files the mode of the main file.
 *
 * A file that exists is looked at but never opened here: closing a descriptor of it would drop the
 * locks that other connections of this process hold on it, as POSIX locks go with the first close.
 */
function makePrivateFile(file: string): void {
  makeDirectories(dirname(file))
  try {
    closeSync(openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600))
  } catch (error) {
    if (!isThere(error)) throw error
    refuseUnusable(file)
  }
}

// Not mkdir's own `recursive`: under /proc, where mkdir answers ENOENT, Node 24 tries for ever.
function makeDirectories(directory: string): void {
  if (existsSync(directory)) return
  makeDirectories(dirname(directory))
  try {
    mkdirSync(directory, 0o700)
  } catch (error) {
    if (!isThere(error)) throw error
  }
}

function isThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

// Without this SQLite would open a read-only file, and only the first write would fail.
function refuseUnusable(file: string): void {
  if (!statSync(file).isFile())
    throw new StoreError(
      'not-a-ledger',
      file,
      'this is not a file; give the path of a file with --db or JOBMETER_DB',
    )
  accessSync(file, constants.R_OK | constants.W_OK)
}
