import {
  listedFigures,
  type JobInList,
  type ListedJob,
  type ListPlace,
} from '../../../model/listed-job.ts'
import {
  amountOrNull,
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
import { requirementsOf, statusOf } from './record-row.ts'

/** What `listedJobOf` reads of an attempt joined with its job. */
export const listedColumns = (dialect: Dialect): string => `
  attempt.id AS attempt_id, attempt.task_id, attempt.job_id, attempt.run_id, attempt.number, attempt.status,
  attempt.exit_code, attempt.signal, attempt.reason, attempt.user, attempt.host,
  attempt.started_at, attempt.ended_at, attempt.duration_seconds, ${briefUsageColumns(listedFigures, dialect)},
  job.workflow_id, job.name, job.tool, job.tags, job.cpus, job.memory_bytes, job.gpus, job.runtime_seconds`

export const listedJobOf = (row: Row): JobInList => ({ job: jobOf(row), place: placeOf(row) })

const jobOf = (row: Row): ListedJob => ({
  taskId: text(row, 'task_id'),
  jobId: number(row, 'job_id'),
  workflowId: numberOrNull(row, 'workflow_id'),
  runId: numberOrNull(row, 'run_id'),
  attempt: number(row, 'number'),
  name: text(row, 'name'),
  tool: text(row, 'tool'),
  user: text(row, 'user'),
  host: text(row, 'host'),
  tags: list(row, 'tags', isText),
  status: statusOf(row),
  exitCode: exitCodeOrNull(row, 'exit_code'),
  signal: textOrNull(row, 'signal'),
  reason: textOrNull(row, 'reason'),
  startedAt: instant(row, 'started_at'),
  endedAt: instantOrNull(row, 'ended_at'),
  durationSeconds: amountOrNull(row, 'duration_seconds'),
  requirements: requirementsOf(row),
  usage: briefUsageOf(row, listedFigures),
})

const placeOf = (row: Row): ListPlace => ({
  startedAt: instant(row, 'started_at'),
  attemptId: number(row, 'attempt_id'),
  taskId: text(row, 'task_id'),
})
