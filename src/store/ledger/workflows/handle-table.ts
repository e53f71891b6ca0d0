import type { AttemptHandle } from '../workflow-store.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { text } from '../../sqlite/row.ts'

const keep = `
  INSERT INTO attempt_handle (attempt_id, handle) SELECT id, ?2 FROM attempt WHERE task_id = ?1
  ON CONFLICT (attempt_id) DO UPDATE SET handle = excluded.handle`

/** Nothing is kept of an attempt that somebody has deleted meanwhile. */
export function keepHandle(connection: Connection, taskId: string, handle: string): void {
  connection.run(keep, taskId, handle)
}

const ofWorkflow = `
  SELECT attempt.task_id, attempt_handle.handle
  FROM attempt_handle
  JOIN attempt ON attempt.id = attempt_handle.attempt_id
  JOIN job ON job.id = attempt.job_id
  WHERE job.workflow_id = ? ORDER BY attempt.id`

export function handlesOf(connection: Connection, workflowId: number): AttemptHandle[] {
  return connection.map(ofWorkflow, [workflowId], (row) => ({
    taskId: text(row, 'task_id'),
    handle: text(row, 'handle'),
  }))
}
