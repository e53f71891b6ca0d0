import { DatabaseSync } from 'node:sqlite'
import { openSqliteStore } from '../src/store/sqlite/open.ts'

/** Keeps everybody else from writing to a ledger, made where there is none, until it is disposed of. */
export function lockLedger(path: string): Disposable {
  openSqliteStore(path).close()
  const database = new DatabaseSync(path)
  database.exec('BEGIN EXCLUSIVE')
  return { [Symbol.dispose]: () => database.close() }
}
