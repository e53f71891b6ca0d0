import type { JobRecord } from '../../../model/record.ts'
import type { LedgerReader } from '../../../store/ledger/ledger-reader.ts'
import { visibleLedger } from '../../access/visible-ledger.ts'
import type { Viewer } from '../../access/viewer.ts'
import { answerOfJob, type JobQuestion } from '../../desk/job-work.ts'
import type { JsonText } from '../../json-text.ts'
import type { Served } from '../../served.ts'

/** So many are read in some 50 ms; who has more samples is answered by another thread. */
const mostSamplesHere = 20_000

/** Answers what takes all samples of a job. Who asks may see it: it was found for them. */
export async function longAnswer(
  served: Served,
  viewer: Viewer,
  record: JobRecord,
  asked: JobQuestion,
): Promise<object | JsonText> {
  const { jobsByDesk, system } = served
  const isLong = samplesOf(record, system.clock.wallSeconds()) > mostSamplesHere
  if (isLong && jobsByDesk !== null) return jobsByDesk(record, asked, viewer.user)
  const reader: LedgerReader = visibleLedger(served.ledger, viewer)
  return answerOfJob(system, reader, record, asked)
}

/** Of one that still runs, about how many there are by now. */
function samplesOf({ samples, startedAt, durationSeconds }: JobRecord, now: number): number {
  const seconds = durationSeconds ?? now - startedAt
  const interval = samples.intervalSeconds
  return Math.max(samples.collected, interval ? seconds / interval : 0)
}
