import { readerOf, type LedgerReader } from '../store/ledger/ledger-reader.ts'
import { realSystem } from '../system/real.ts'
import { ledgerPlace } from './ledger-place.ts'
import { openLedgerAt } from './open-ledger.ts'

/**
 * Opens a ledger for reading: the user's own, or the one at a path. Records that wait beside it are imported first, and
 * attempts whose owner died are marked as interrupted. `onProblem` is called with whatever could not be read.
 */
export function readLedger(
  path?: string,
  onProblem: (problem: string) => void = () => {},
): LedgerReader {
  const system = realSystem({ ownsProcess: false })
  return readerOf(openLedgerAt(system, ledgerPlace(system, path, process.env).path, onProblem))
}
