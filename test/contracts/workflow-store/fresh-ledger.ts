import { afterEach, beforeEach } from 'vitest'
import type { Ledger } from '../../../src/store/ledger/ledger.ts'
import { someWorkflow, WorkflowInLedger } from '../workflows.ts'

/** A new, empty ledger for one test. */
export interface LedgerUnderTest {
  readonly ledger: Ledger
  /** Another one on the same data; the first stays open. The test closes it. */
  reopen(): Ledger
  /** Closes `ledger` and takes the data away. */
  dispose(): Promise<void>
}

export interface FreshLedger extends Pick<LedgerUnderTest, 'ledger' | 'reopen'> {
  /** Stores a workflow of these jobs. */
  put(...jobs: Parameters<typeof someWorkflow>): WorkflowInLedger
}

/** The ledger of whichever test runs, of those in the suite that calls this. */
export function freshLedger(open: () => Promise<LedgerUnderTest>): FreshLedger {
  let opened: LedgerUnderTest
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(() => opened.dispose())
  return {
    get ledger() {
      return opened.ledger
    },
    reopen: () => opened.reopen(),
    put: (...jobs) => new WorkflowInLedger(opened.ledger, someWorkflow(...jobs)),
  }
}
