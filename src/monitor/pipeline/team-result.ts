import type { Machine } from '../../model/machine.ts'
import type { QueueJob } from '../../model/queue.ts'
import { endedRecord, endOf } from '../../store/ledger/attempt-record.ts'
import { historyEntry, monitoredJob, type HistoryEntry } from '../job-json.ts'

/** What a worker told of an attempt. */
interface ToldResult {
  readonly startedAt: number
  readonly user: string
  readonly machine: Machine
  readonly result: Parameters<typeof endOf>[1]
}

/** A task under the documented keys, as its worker measured it. */
export function entryOf(job: QueueJob, text: string): HistoryEntry {
  const { startedAt, user, machine, result } = JSON.parse(text) as ToldResult
  const { name, tool, script, params, tags, command, workingDirectory, requirements } = job.order
  const start = {
    job: { name, tool, script, params, tags, command, workingDirectory, requirements },
    taskId: job.id,
    user,
    machine,
    owner: { host: machine.host, bootId: '', pid: 0, startTicks: 0 },
    startedAt,
    intervalSeconds: result.samples.intervalSeconds,
  }
  const end = endOf(start, result)
  return historyEntry(monitoredJob(endedRecord(start, end, { jobId: null, attempt: job.attempts })))
}
