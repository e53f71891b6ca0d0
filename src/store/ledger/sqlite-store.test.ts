import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeContract } from '../../../test/contracts/store.ts'
import { openSqliteLedger } from './open.ts'

storeContract('SQLite', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-'))
  const path = join(directory, 'ledger.db')
  const store = openSqliteLedger(path).jobs
  return {
    store,
    reopen: () => openSqliteLedger(path).jobs,
    async dispose() {
      store.close()
      rmSync(directory, { recursive: true })
    },
  }
})
