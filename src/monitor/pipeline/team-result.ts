import type { QueueResult } from '../../model/queue-result.ts'
import type { QueueJob } from '../../model/queue.ts'
import { toldRecord } from '../../store/postgres/queue/told-record.ts'
import { historyEntry, monitoredJob, type HistoryEntry } from '../job-json.ts'

/** A task under the documented keys, as its worker measured it. */
export function entryOf(job: QueueJob, told: QueueResult): HistoryEntry {
  const record = toldRecord(job, { taskId: job.id, number: job.attempts }, told)
  return historyEntry(monitoredJob(record))
}
