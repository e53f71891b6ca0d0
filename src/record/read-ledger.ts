import { readerOf, type LedgerReader } from '../store/ledger/ledger-reader.ts'
import { isTeamAddress } from '../store/ledger/location.ts'
import { teamReader } from '../store/ledger/team-ledger.ts'
import { backgroundSystem } from '../system/background-system.ts'
import { ledgerPlace } from './ledger-place.ts'
import { openLedgerAt } from './open-ledger.ts'

/**
 * Opens a ledger for reading: the user's own, the one at a path, or a team's at `postgres://…`. Records that wait beside a
 * ledger are imported first, and attempts whose owner died are marked as interrupted. `onProblem` is called with whatever
 * could not be read.
 *
 * @example
 * ```ts
 * import {
 *   measure,
 *   readLedger,
 *   type JobsReader,
 *   type LedgerReader,
 *   type RecordOrder,
 *   type RecordQuery,
 *   type WorkflowsReader,
 * } from 'jobmeter'
 *
 * await measure(['true'], { ledger: 'jobs.db', tags: ['nightly'] })
 * const ledger: LedgerReader = readLedger('jobs.db')
 * const jobs: JobsReader = ledger.jobs
 * const query: RecordQuery = { tag: 'nightly', status: ['success', 'failed'], limit: 10 }
 * for (const { name, durationSeconds } of await jobs.find(query)) console.log(name, durationSeconds)
 *
 * // Of a large ledger, in portions.
 * const order: RecordOrder = 'newest first'
 * for await (const records of jobs.each(query, order)) console.log(records.length)
 *
 * const workflows: WorkflowsReader = ledger.workflows
 * console.log(await workflows.newestWorkflowId())
 * await ledger.close()
 * ```
 */
export function readLedger(
  path?: string,
  onProblem: (problem: string) => void = () => {},
): LedgerReader {
  const named = path ?? process.env['JOBMETER_DB']
  if (named !== undefined && isTeamAddress(named))
    return teamReader(named, async () => named, onProblem)
  const system = backgroundSystem()
  return readerOf(openLedgerAt(system, ledgerPlace(system, path, process.env).path, onProblem))
}
