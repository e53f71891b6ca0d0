import type { LedgerReader } from '../store/ledger/ledger-reader.ts'
import { isTeamLedger } from '../store/ledger/location.ts'
import type { RunRow } from '../store/ledger/workflow-store.ts'

/**
 * Whether the files that runs left, logs and series, can be found by the numbers of a ledger. A team's has numbers of its own,
 * and most of its jobs ran on other machines: what has the same number here is another job's.
 */
export const hasFilesOfRuns = ({ path }: Pick<LedgerReader, 'path'>): boolean => !isTeamLedger(path)

/** Where they are instead. */
export const whereFilesAre = (run: RunRow | undefined): string =>
  run === undefined ? 'on the machine that ran it' : `on ${run.host}, in ${run.outputDirectory}`
