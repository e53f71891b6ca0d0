import type { NewRun, RunRow } from '../workflow-store.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { number, numberOrNull, text, textOrNull } from '../../sqlite/row.ts'

const insert = `
  INSERT INTO run (workflow_id, run_id, started_at, host, output_directory, working_directory)
  SELECT ?1, 1 + coalesce(max(run_id), 0), ?2, ?3, ?4, ?5 FROM run WHERE workflow_id = ?1
  RETURNING run_id`

/** Begins a run; answers its number in its workflow. */
export function beginRun(connection: Connection, workflowId: number, run: NewRun): number {
  const { startedAt, host, outputDirectory, workingDirectory } = run
  const values = [workflowId, startedAt, host, outputDirectory, workingDirectory]
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

export function runsOf(connection: Connection, workflowId: number): RunRow[] {
  const sql = 'SELECT * FROM run WHERE workflow_id = ? ORDER BY run_id'
  const rows = connection.rows(sql, workflowId)
  return connection.guard(() =>
    rows.map((row) => ({
      runId: number(row, 'run_id'),
      startedAt: number(row, 'started_at'),
      endedAt: numberOrNull(row, 'ended_at'),
      host: text(row, 'host'),
      outputDirectory: text(row, 'output_directory'),
      workingDirectory: textOrNull(row, 'working_directory'),
    })),
  )
}
