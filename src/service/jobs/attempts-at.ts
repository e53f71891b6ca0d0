import type { ListedJob } from '../../model/listed-job.ts'
import type { JobRecord } from '../../model/record.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'

/** More than a list shows of one job; what is left out is the oldest. */
const mostAttempts = 500

/** All attempts at the job of this one, the first one first. One that the ledger has given no number is the only one. */
export async function attemptsAt(
  { jobs }: LedgerReader,
  { jobId, taskId }: JobRecord,
): Promise<ListedJob[]> {
  const same = jobId === null ? { search: taskId } : { jobId }
  const found = await jobs.page({ ...same, limit: mostAttempts }, null)
  return found.map(({ job }) => job).toReversed()
}
