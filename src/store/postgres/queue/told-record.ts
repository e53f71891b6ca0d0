import type { QueueResult } from '../../../model/queue-result.ts'
import type { QueueJob } from '../../../model/queue.ts'
import type { JobRecord } from '../../../model/record.ts'
import { endedRecord, endOf } from '../../ledger/attempt-record.ts'

/** The record of an attempt at a job, as its worker told it to the queue. */
export function toldRecord(
  job: QueueJob,
  attempt: { readonly taskId: string; readonly number: number },
  { startedAt, machine, result }: QueueResult,
): JobRecord {
  const { name, tool, script, params, tags, command, workingDirectory, requirements } = job.order
  const start = {
    job: { name, tool, script, params, tags, command, workingDirectory, requirements },
    taskId: attempt.taskId,
    user: job.user,
    machine,
    owner: { host: machine.host, bootId: '', pid: 0, startTicks: 0 },
    startedAt,
    intervalSeconds: result.samples.intervalSeconds,
  }
  return endedRecord(start, endOf(start, result), { jobId: null, attempt: attempt.number })
}
