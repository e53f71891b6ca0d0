import type { Machine } from '../../../model/machine.ts'
import type { QueueJob } from '../../../model/queue.ts'
import type { JobRecord } from '../../../model/record.ts'
import { endedRecord, endOf } from '../../ledger/attempt-record.ts'

/** What a worker told of an attempt. */
interface ToldResult {
  readonly startedAt: number
  readonly machine: Machine
  readonly result: Parameters<typeof endOf>[1]
}

/** The record of an attempt at a job, as its worker told it to the queue. */
export function toldRecord(
  job: QueueJob,
  attempt: { readonly taskId: string; readonly number: number; readonly result: string },
): JobRecord {
  const { startedAt, machine, result } = JSON.parse(attempt.result) as ToldResult
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
