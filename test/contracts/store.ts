import { describe } from 'vitest'
import { freshStore, type StoreUnderTest } from './store/fresh-store.ts'
import { keptRecordsContract } from './store/kept-records.ts'
import { pagesContract } from './store/pages.ts'
import { pruningContract } from './store/pruning.ts'
import { sharingContract } from './store/sharing.ts'
import { shorterWaysContract } from './store/shorter-ways.ts'
import { takenOverContract } from './store/taken-over.ts'

/** What every engine that keeps the ledger must do. */
export function storeContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`${name} as a store`, () => {
    const at = freshStore(open)
    keptRecordsContract(at)
    takenOverContract(at)
    shorterWaysContract(at)
    pagesContract(at)
    pruningContract(at)
    sharingContract(at)
  })
}
