import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Ledger, LockWait } from '../ledger.ts'
import { Connection, shortWait } from './connection.ts'
import { asStoreError } from '../errors.ts'
import { migrate } from './migrate.ts'
import { isOnNetwork } from '../network-disk.ts'
import { makePrivateFile } from '../private-file.ts'
import { rescue } from './rescue.ts'
import { SqliteStore } from './sqlite-store.ts'
import { SqliteWorkflowStore } from './sqlite-workflow-store.ts'

/** Nobody holds a lock for longer than it takes to write. */
export const usualLockWait: LockWait = { milliseconds: 10_000 }

export interface LedgerSettings {
  readonly lockWait?: LockWait
  /** Hears of records that cannot be read, and are left out. */
  readonly onProblem?: (problem: string) => void
}

/**
 * Opens the ledger, makes it where there is none and upgrades it where it is older.
 *
 * What can be lost: kill -9, of any number of processes, loses nothing that was committed, for the
 * kernel has the log already. Power loss can undo the last commits, those since the log was last
 * synced (every 100 pages of log, and when the last connection closes), but
 * never leaves half a record: that is what synchronous=NORMAL means with a write-ahead log. FULL
 * would sync at every commit, some milliseconds each, to protect figures of jobs that the same
 * power loss killed. On a disk that other machines write to as well there is no such log: a commit
 * syncs, and locks of the file system keep writers apart.
 */
export function openSqliteLedger(path: string, settings: LedgerSettings = {}): Ledger {
  return openPrivate(path, settings, (connection) => {
    migrate(connection)
    connection.chooseJournal()
    return ledgerOn(connection)
  })
}

/** The ledger in a file that is open and of this build's version. */
export function ledgerOn(connection: Connection): Ledger {
  return {
    path: connection.path,
    jobs: new SqliteStore(connection),
    workflows: new SqliteWorkflowStore(connection),
    batch: (work) => connection.batch(work),
    batchAsOne: (work) => connection.batchAsOne(work),
    waitForLocks: (lockWait) => connection.waitForLocks(lockWait),
    // Once in some 500 commits; after a kill the next one to open the ledger has 10 ms of log to read.
    expectManyWrites: () => connection.script('PRAGMA wal_autocheckpoint = 4000'),
    isInPlace: () => connection.isInPlace,
    rescue: () => rescue(connection),
    close: () => connection.close(),
  }
}

/** Opens a SQLite file that only its owner may read, made where there is none. */
export function openPrivate<T>(
  path: string,
  { lockWait = usualLockWait, onProblem }: LedgerSettings,
  use: (connection: Connection) => T,
): T {
  const file = resolve(path)
  try {
    makePrivateFile(file)
    const database = new DatabaseSync(file, { timeout: shortWait(lockWait) })
    try {
      const shared = isOnNetwork(file)
      // A runner that exits leaves its log for the next one to read through, at 2 ms for SQLite's default of
      // 1,000 pages: a tenth of that takes 0.2 ms, and is synced ten times as often.
      database.exec(
        `PRAGMA synchronous = ${shared ? 'FULL' : 'NORMAL'}; PRAGMA wal_autocheckpoint = 100`,
      )
      const journal = shared ? 'DELETE' : 'WAL'
      return use(
        new Connection(database, file, {
          journal,
          lockWait,
          ...(onProblem === undefined ? {} : { onProblem }),
        }),
      )
    } catch (error) {
      database.close()
      throw error
    }
  } catch (error) {
    throw asStoreError(error, file)
  }
}
