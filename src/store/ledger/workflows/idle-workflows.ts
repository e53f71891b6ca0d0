import type { IdleWorkflow } from '../../../model/idle-workflow.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { ownerNames } from '../records/owner-row.ts'
import { number, numberOrNull, text, type Row } from '../../sqlite/row.ts'
import { runsOf } from './run-table.ts'
import { attemptBytes, jobBytes, sampleBytes } from '../stored-bytes.ts'
import { leaseOf } from './workflow-row.ts'

const quietRuns = `
  SELECT id, name, created_at, ${ownerNames.join(', ')} FROM workflow
  WHERE created_at < ?1 AND NOT EXISTS (
    SELECT 1 FROM run
    WHERE workflow_id = workflow.id AND max(started_at, coalesce(ended_at, started_at)) >= ?1)`

const attemptsOfWorkflow = `
  SELECT count(*) AS attempts, coalesce(sum(attempt.status = 'running'), 0) AS running,
    max(max(attempt.started_at, coalesce(attempt.ended_at, attempt.started_at))) AS last_active,
    total(${attemptBytes}) AS bytes
  FROM job CROSS JOIN attempt ON attempt.job_id = job.id WHERE job.workflow_id = ?`
const samplesOfWorkflow = `
  SELECT count(*) AS samples
  FROM job CROSS JOIN attempt ON attempt.job_id = job.id CROSS JOIN sample ON sample.attempt_id = attempt.id
  WHERE job.workflow_id = ?`
const jobsOfWorkflow = `SELECT count(*) AS jobs, total(${jobBytes}) AS bytes FROM job WHERE workflow_id = ?`

/** Workflows of which nothing has happened since then and nothing runs; one of them, or all, oldest first. */
export function idleWorkflows(
  connection: Connection,
  before: number,
  only?: number,
): IdleWorkflow[] {
  const rows =
    only === undefined
      ? connection.rows(`${quietRuns} ORDER BY id`, before)
      : connection.rows(`${quietRuns} AND id = ?2`, before, only)
  return connection.guard(() => rows.flatMap((row) => idleOf(connection, row, before)))
}

function idleOf(connection: Connection, row: Row, before: number): IdleWorkflow[] {
  const workflowId = number(row, 'id')
  const attempts = connection.row(attemptsOfWorkflow, workflowId) ?? {}
  const lastAttemptAt = numberOrNull(attempts, 'last_active') ?? 0
  if (number(attempts, 'running') > 0 || lastAttemptAt >= before) return []
  const runs = runsOf(connection, workflowId)
  const samples = number(connection.row(samplesOfWorkflow, workflowId) ?? {}, 'samples')
  const jobs = connection.row(jobsOfWorkflow, workflowId) ?? {}
  return [
    {
      workflowId,
      name: text(row, 'name'),
      leasedBy: leaseOf(row),
      createdAt: number(row, 'created_at'),
      lastActiveAt: Math.max(
        number(row, 'created_at'),
        lastAttemptAt,
        ...runs.map(({ startedAt, endedAt }) => endedAt ?? startedAt),
      ),
      outputDirectories: [...new Set(runs.map(({ outputDirectory }) => outputDirectory))],
      jobs: number(jobs, 'jobs'),
      attempts: number(attempts, 'attempts'),
      samples,
      bytes: number(attempts, 'bytes') + number(jobs, 'bytes') + samples * sampleBytes,
    },
  ]
}
