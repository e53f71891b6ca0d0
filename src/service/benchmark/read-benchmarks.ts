import { readLedger } from '../../record/read-ledger.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'

/** Which ledger keeps benchmarks, by default the user's own, and who hears of problems with it. */
export interface LedgerAsked {
  readonly ledger?: string
  readonly onProblem?: (problem: string) => void
}

/** Opens the ledger of benchmarks for one question. */
export async function readBenchmarks<T>(
  { ledger, onProblem }: LedgerAsked,
  ask: (reader: LedgerReader) => Promise<T>,
): Promise<T> {
  const reader = readLedger(ledger, onProblem)
  try {
    return await ask(reader)
  } finally {
    await reader.close()
  }
}
