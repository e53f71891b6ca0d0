import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readerContract } from '../../../test/contracts/reader.ts'
import { StoreError } from '../errors.ts'
import { readerOf } from './ledger-reader.ts'
import { openSqliteInPlace } from './open-in-place.ts'
import { openSqliteLedger } from './open.ts'

async function openBeside(open: (path: string) => ReturnType<typeof openSqliteLedger>) {
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-'))
  const path = join(directory, 'ledger.db')
  const ledger = openSqliteLedger(path)
  const reader = readerOf(open(path))
  return {
    ledger,
    reader,
    settle: async () => {},
    async dispose() {
      ledger.close()
      await reader.close()
      rmSync(directory, { recursive: true })
    },
  }
}

readerContract('an open ledger', () => openBeside((path) => openSqliteLedger(path)))

readerContract('a ledger that cannot be written to', () =>
  openBeside((path) => openSqliteInPlace(path, new StoreError('unreadable', path, 'read-only'))),
)
