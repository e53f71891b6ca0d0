import { afterEach, beforeEach } from 'vitest'
import type { Store } from '../../../src/store/ledger/store.ts'

/** A new, empty ledger for one test. */
export interface StoreUnderTest {
  readonly store: Store
  /** Another store on the same ledger; the first stays open. The test closes it. */
  reopen(): Store
  /** Closes `store` and takes the ledger away. */
  dispose(): Promise<void>
}

export type FreshStore = Pick<StoreUnderTest, 'store' | 'reopen'>

/** The store of whichever test runs, of those in the suite that calls this. */
export function freshStore(open: () => Promise<StoreUnderTest>): FreshStore {
  let opened: StoreUnderTest
  beforeEach(async () => {
    opened = await open()
  })
  afterEach(() => opened.dispose())
  return {
    get store() {
      return opened.store
    },
    reopen: () => opened.reopen(),
  }
}

export const ids = (records: readonly { taskId: string }[]): string[] =>
  records.map(({ taskId }) => taskId)
