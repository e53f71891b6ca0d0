import { compareRuns, type Comparison } from '../../analysis/compare/comparison.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import { findComparedRuns } from '../run-sets.ts'

/** Two sets of runs as people name them, and whether they differ by more than noise. */
export async function compareNamed(
  reader: LedgerReader,
  { a, b }: { readonly a: string; readonly b: string },
  includeFailed: boolean,
): Promise<Comparison> {
  return compareRuns(
    await findComparedRuns(reader, a),
    await findComparedRuns(reader, b),
    includeFailed,
  )
}
