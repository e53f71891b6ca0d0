import type { BriefRecord } from '../../model/brief-record.ts'
import type { UsageKey } from '../../model/usage.ts'
import { requirementsOf, statusOf } from './record-row.ts'
import { number, numberOrNull, text, textOrNull, type Row } from './row.ts'
import { briefUsage } from './usage-scan.ts'

/** What `briefRecordOf` reads of an attempt joined with its job. */
export const briefColumns = `
  attempt.task_id, attempt.job_id, attempt.run_id, attempt.number, attempt.status, attempt.exit_code,
  attempt.duration_seconds, attempt.usage,
  job.name, job.cpus, job.memory_bytes, job.gpus, job.runtime_seconds`

export function briefRecordOf<Key extends UsageKey>(
  row: Row,
  keys: readonly Key[],
): BriefRecord<Key> {
  return {
    taskId: text(row, 'task_id'),
    jobId: number(row, 'job_id'),
    attempt: number(row, 'number'),
    name: text(row, 'name'),
    status: statusOf(row),
    exitCode: numberOrNull(row, 'exit_code'),
    durationSeconds: numberOrNull(row, 'duration_seconds'),
    requirements: requirementsOf(row),
    usage: briefUsage(textOrNull(row, 'usage'), keys),
  }
}
