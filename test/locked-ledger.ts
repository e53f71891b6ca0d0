import { DatabaseSync } from 'node:sqlite'
import { openSqliteLedger } from '../src/store/ledger/open.ts'

/** Keeps everybody else from writing to a ledger, made where there is none; the answer lets them again. */
export function lockLedger(path: string): () => void {
  openSqliteLedger(path).jobs.close()
  const database = new DatabaseSync(path)
  database.exec('BEGIN EXCLUSIVE')
  return () => database.close()
}

/** Does something while nobody else can write to a ledger. */
export async function whileLocked<T>(path: string, work: () => T): Promise<Awaited<T>> {
  const unlock = lockLedger(path)
  try {
    return await work()
  } finally {
    unlock()
  }
}
