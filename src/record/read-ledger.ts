import { readerOf, type LedgerReader } from '../store/ledger/ledger-reader.ts'
import { realSystem } from '../system/real.ts'
import { ledgerPlace } from './ledger-place.ts'
import { openLedgerAt } from './open-ledger.ts'

/**
 * Opens a ledger to ask it: the user's own, or the one at a path. What waits beside it is taken in first, and what its owner
 * left unfinished is called interrupted; `onProblem` hears what could not be read.
 */
export function readLedger(
  path?: string,
  onProblem: (problem: string) => void = () => {},
): LedgerReader {
  const system = realSystem({ ownsProcess: false })
  return readerOf(openLedgerAt(system, ledgerPlace(system, path, process.env).path, onProblem))
}
