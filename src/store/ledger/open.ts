import type { Connection } from '../sqlite/connection.ts'
import { number } from '../sqlite/row.ts'
import { openPrivateDatabase, type FileSettings } from '../sqlite/open-private.ts'
import type { Ledger } from './ledger.ts'
import { newestVersion } from './ledger-marks.ts'
import { migrate } from './migrate.ts'
import { rescue } from './rescue.ts'
import { SqliteBenchmarkStore } from './sqlite-benchmark-store.ts'
import { SqliteStore } from './sqlite-store.ts'
import { SqliteWorkflowStore } from './sqlite-workflow-store.ts'

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
export function openSqliteLedger(path: string, settings: FileSettings = {}): Ledger {
  return openPrivateDatabase(path, settings, (connection) => {
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
    benchmarks: new SqliteBenchmarkStore(connection),
    batch: (work) => connection.batch(work),
    batchAsOne: (work) => connection.batchAsOne(work),
    waitForLocks: (lockWait) => connection.waitForLocks(lockWait),
    expectManyWrites: () => connection.expectManyCommits(),
    expectManyQuestions: () => connection.script('PRAGMA cache_size = -16384'),
    isInPlace: () => connection.isInPlace,
    isOfThisVersion: () =>
      number(connection.row('PRAGMA user_version') ?? {}, 'user_version') === newestVersion,
    rescue: () => rescue(connection),
    close: () => connection.close(),
  }
}
