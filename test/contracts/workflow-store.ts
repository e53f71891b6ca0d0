import { describe } from 'vitest'
import { freshLedger, type LedgerUnderTest } from './workflow-store/fresh-ledger.ts'
import { ledgerBatchContract } from './workflow-store/ledger-batch.ts'
import { storedWorkflowsContract } from './workflow-store/stored-workflows.ts'
import { workflowAttemptsContract } from './workflow-store/workflow-attempts.ts'
import { workflowDeletionContract } from './workflow-store/workflow-deletion.ts'
import { workflowLeaseContract } from './workflow-store/workflow-lease.ts'
import { workflowResultsContract } from './workflow-store/workflow-results.ts'

/** What every engine that keeps workflows must do. */
export function workflowStoreContract(name: string, open: () => Promise<LedgerUnderTest>): void {
  describe(`${name} as a store of workflows`, () => {
    const at = freshLedger(open)
    storedWorkflowsContract(at)
    workflowLeaseContract(at)
    workflowAttemptsContract(at)
    workflowResultsContract(at)
    workflowDeletionContract(at)
    ledgerBatchContract(at)
  })
}
