import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { asStoreError, type StoreKind } from '../errors.ts'
import { isOnNetwork } from '../network-disk.ts'
import { makePrivateFile } from '../private-file.ts'
import { Connection, shortWait } from './connection.ts'
import type { LockWait } from './lock-wait.ts'

/** Nobody holds a lock for longer than it takes to write. */
export const usualLockWait: LockWait = { milliseconds: 10_000 }

export interface FileSettings {
  /** Without it, a ledger. */
  readonly kind?: StoreKind
  readonly lockWait?: LockWait
  /** Hears of records that cannot be read, and are left out. */
  readonly onProblem?: (problem: string) => void
}

/** Opens a SQLite file that only its owner may read, made where there is none. */
export function openPrivateDatabase<T>(
  path: string,
  { kind = 'ledger', lockWait = usualLockWait, onProblem }: FileSettings,
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
          kind,
          ...(onProblem === undefined ? {} : { onProblem }),
        }),
      )
    } catch (error) {
      database.close()
      throw error
    }
  } catch (error) {
    throw asStoreError(error, file, kind)
  }
}
