import { briefKeys } from '../../../model/brief-record.ts'
import type { LiveAttempt } from '../../../model/live.ts'
import type { Owner } from '../../../model/machine.ts'
import {
  amountOrNull,
  countIn,
  exitCodeOrNull,
  instant,
  instantOrNull,
  list,
  number,
  numberOrNull,
  text,
  textOrNull,
  type Row,
} from '../../sqlite/row.ts'
import { isText } from '../../valid.ts'
import type { Dialect } from '../dialect.ts'
import { briefUsageColumns, briefUsageOf } from './brief-row.ts'
import { ownerNames, ownerOf } from './owner-row.ts'
import { requirementsOf, statusOf } from './record-row.ts'

/** An attempt as a stream of events tells of it, with what is needed to follow it. */
export interface WatchedAttempt {
  readonly attemptId: number
  readonly owner: Owner
  readonly facts: LiveAttempt
}

/** What `watchedAttemptOf` reads of an attempt joined with its job: neither the usage nor the definition, which are long. */
export const watchedColumns = (dialect: Dialect): string => `
  attempt.id, attempt.task_id, attempt.job_id, attempt.run_id, attempt.number, attempt.status,
  attempt.started_at, attempt.ended_at, attempt.duration_seconds, attempt.exit_code, attempt.signal, attempt.reason,
  attempt.user, attempt.host, attempt.cores, attempt.machine_memory_bytes, attempt.sample_interval_seconds,
  ${ownerNames.map((name) => `attempt.${name}`).join(', ')}, ${briefUsageColumns(briefKeys, dialect)},
  job.workflow_id, job.name, job.tool, job.command, job.tags,
  job.cpus, job.memory_bytes, job.gpus, job.runtime_seconds`

export const watchedAttemptOf = (row: Row): WatchedAttempt => ({
  attemptId: number(row, 'id'),
  owner: ownerOf(row),
  facts: {
    taskId: text(row, 'task_id'),
    jobId: number(row, 'job_id'),
    attempt: number(row, 'number'),
    workflowId: numberOrNull(row, 'workflow_id'),
    runId: numberOrNull(row, 'run_id'),
    name: text(row, 'name'),
    tool: text(row, 'tool'),
    command: list(row, 'command', isText),
    tags: list(row, 'tags', isText),
    user: text(row, 'user'),
    machine: {
      host: text(row, 'host'),
      cores: countIn(row, 'cores'),
      memoryBytes: amountOrNull(row, 'machine_memory_bytes'),
    },
    requirements: requirementsOf(row),
    status: statusOf(row),
    startedAt: instant(row, 'started_at'),
    endedAt: instantOrNull(row, 'ended_at'),
    durationSeconds: amountOrNull(row, 'duration_seconds'),
    exitCode: exitCodeOrNull(row, 'exit_code'),
    signal: textOrNull(row, 'signal'),
    reason: textOrNull(row, 'reason'),
    intervalSeconds: amountOrNull(row, 'sample_interval_seconds'),
    usage: briefUsageOf(row, briefKeys),
  },
})
