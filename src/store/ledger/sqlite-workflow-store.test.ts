import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { workflowStoreContract } from '../../../test/contracts/workflow-store.ts'
import { openSqliteLedger } from './open.ts'

workflowStoreContract('SQLite', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-'))
  const path = join(directory, 'ledger.db')
  const ledger = openSqliteLedger(path)
  return {
    ledger,
    reopen: () => openSqliteLedger(path),
    async dispose() {
      ledger.close()
      rmSync(directory, { recursive: true })
    },
  }
})
