import type { Owner } from '../../../model/machine.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { updateRow } from '../../sqlite/write-row.ts'
import { number, type Row } from '../../sqlite/row.ts'
import { ownerColumns } from '../records/owner-row.ts'

const open = `
  SELECT id, job_id FROM attempt WHERE task_id = ? AND status = 'running' AND reason IS NOT NULL`
const interrupted = "SELECT id, job_id FROM attempt WHERE task_id = ? AND status = 'interrupted'"

/** Says for what an attempt waits, as long as it does. */
export function keepWaiting(connection: Connection, taskId: string, waits: string): void {
  const row = connection.row(open, taskId)
  if (row !== undefined) updateRow(connection, 'attempt', number(row, 'id'), { reason: waits })
}

/** An attempt that waited has begun. */
export function keepBegun(connection: Connection, taskId: string, startedAt: number): void {
  const row = connection.row(open, taskId)
  if (row === undefined) return
  const begun = { reason: null, started_at: startedAt }
  updateRow(connection, 'attempt', number(row, 'id'), begun)
  setState(connection, row, 'running')
}

/** An attempt whose runner died is another's now. Whether it has begun is for that one to find out. */
export function takeUp(connection: Connection, taskId: string, owner: Owner, waits: string): void {
  const row = connection.row(interrupted, taskId)
  if (row === undefined) return
  updateRow(connection, 'attempt', number(row, 'id'), {
    status: 'running',
    reason: waits,
    ended_at: null,
    duration_seconds: null,
    ...ownerColumns(owner),
  })
  setState(connection, row, 'waiting')
}

function setState(connection: Connection, row: Row, state: 'waiting' | 'running'): void {
  updateRow(connection, 'job', number(row, 'job_id'), { state })
}
