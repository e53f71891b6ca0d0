import type { QueueJob } from '../../model/queue.ts'
import { toldRecord } from '../../store/postgres/queue/told-record.ts'
import { historyEntry, monitoredJob, type HistoryEntry } from '../job-json.ts'

/** A task under the documented keys, as its worker measured it. */
export function entryOf(job: QueueJob, result: string): HistoryEntry {
  const record = toldRecord(job, { taskId: job.id, number: job.attempts, result })
  return historyEntry(monitoredJob(record))
}
