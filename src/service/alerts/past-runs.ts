import { endFigures } from '../../alert/evaluate/end-figures.ts'
import { openLedgerToLook } from '../../record/open-ledger.ts'
import type { System } from '../../system/system.ts'
import type { AlertedJob } from './known-job.ts'

/** Enough to know what is usual, and soon read. */
const mostRuns = 20

/** The figures of the last runs of a job that succeeded, but for this one; none where the ledger cannot be read. */
export function pastRuns(
  system: System,
  ledger: string,
  { name, taskId }: AlertedJob,
): readonly Float64Array[] {
  try {
    const opened = openLedgerToLook(system, ledger)
    try {
      return opened.jobs
        .find({ name, status: 'success', limit: mostRuns + 1 })
        .filter((run) => run.taskId !== taskId)
        .slice(0, mostRuns)
        .map(endFigures)
    } finally {
      opened.close()
    }
  } catch {
    // Without a past there is nothing to compare with: no reason to disturb a job.
    return []
  }
}
