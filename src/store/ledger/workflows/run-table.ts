import type { NewRun, RecentRun, RunRow } from '../workflow-store.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { number, numberOrNull, text, textOrNull, type Row } from '../../sqlite/row.ts'

const insert = `
  INSERT INTO run (workflow_id, run_id, started_at, host, output_directory, working_directory, executor)
  SELECT ?1, 1 + coalesce(max(run_id), 0), ?2, ?3, ?4, ?5, ?6 FROM run WHERE workflow_id = ?1
  RETURNING run_id`

/** Begins a run; answers its number in its workflow. */
export function beginRun(connection: Connection, workflowId: number, run: NewRun): number {
  const { startedAt, host, outputDirectory, workingDirectory, executor = null } = run
  const values = [workflowId, startedAt, host, outputDirectory, workingDirectory, executor]
  const row = connection.row(insert, ...values)
  return connection.guard(() => number(row ?? {}, 'run_id'))
}

export function endRun(
  connection: Connection,
  workflowId: number,
  runId: number,
  endedAt: number,
): void {
  const sql = 'UPDATE run SET ended_at = ? WHERE workflow_id = ? AND run_id = ?'
  connection.run(sql, endedAt, workflowId, runId)
}

export const runsOfWorkflow = 'SELECT * FROM run WHERE workflow_id = ? ORDER BY run_id'

export const runIn = (row: Row): RunRow => ({
  runId: number(row, 'run_id'),
  startedAt: number(row, 'started_at'),
  endedAt: numberOrNull(row, 'ended_at'),
  host: text(row, 'host'),
  outputDirectory: text(row, 'output_directory'),
  workingDirectory: textOrNull(row, 'working_directory'),
  ...executorIn(row),
})

/** A ledger that is read in place may have no such column yet. */
function executorIn(row: Row): { readonly executor?: string } {
  const executor = 'executor' in row ? textOrNull(row, 'executor') : null
  return executor === null ? {} : { executor }
}

export function runsOf(connection: Connection, workflowId: number): RunRow[] {
  return connection.map(runsOfWorkflow, [workflowId], runIn)
}

/** The newest run of each workflow, where that has not ended or has since then, at most so many. */
export const newestRuns = `
  SELECT run.workflow_id, run.run_id, run.started_at, run.ended_at
  FROM (SELECT workflow_id, max(run_id) AS run_id FROM run GROUP BY workflow_id) AS newest
    JOIN run ON run.workflow_id = newest.workflow_id AND run.run_id = newest.run_id
  WHERE run.ended_at IS NULL OR run.ended_at >= ?
  ORDER BY run.workflow_id DESC LIMIT ?`

export const recentRunIn = (row: Row): RecentRun => ({
  workflowId: number(row, 'workflow_id'),
  runId: number(row, 'run_id'),
  startedAt: number(row, 'started_at'),
  endedAt: numberOrNull(row, 'ended_at'),
})

export function recentRunsOf(
  connection: Connection,
  endedSince: number,
  limit: number,
): RecentRun[] {
  return connection.map(newestRuns, [endedSince, limit], recentRunIn)
}
