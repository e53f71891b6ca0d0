import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeContract } from '../../../test/contracts/store.ts'
import { openSqliteStore } from './open.ts'

storeContract('SQLite', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-'))
  const path = join(directory, 'ledger.db')
  const store = openSqliteStore(path)
  return {
    store,
    reopen: () => openSqliteStore(path),
    async dispose() {
      store.close()
      rmSync(directory, { recursive: true })
    },
  }
})
