import type { Connection } from '../../sqlite/connection.ts'
import { deleteSamples, giveSpaceBack } from '../prune.ts'
import { number } from '../../sqlite/row.ts'

// Children before parents: foreign keys are enforced.
const steps = [
  ...['sample', 'device_sample'].map(
    (table) => `DELETE FROM ${table} WHERE attempt_id IN (
     SELECT attempt.id FROM attempt JOIN job ON job.id = attempt.job_id WHERE job.workflow_id = ?)`,
  ),
  'DELETE FROM attempt WHERE job_id IN (SELECT id FROM job WHERE workflow_id = ?)',
  'DELETE FROM job_input WHERE job_id IN (SELECT id FROM job WHERE workflow_id = ?)',
  'DELETE FROM job WHERE workflow_id = ?',
  'DELETE FROM name_list WHERE workflow_id = ?',
  'DELETE FROM run WHERE workflow_id = ?',
]

const sampledAttempts = `
  SELECT attempt.id FROM job CROSS JOIN attempt ON attempt.job_id = job.id
  WHERE job.workflow_id = ? AND (EXISTS (SELECT 1 FROM sample WHERE attempt_id = attempt.id)
    OR EXISTS (SELECT 1 FROM device_sample WHERE attempt_id = attempt.id))`

/**
 * One transaction: half a workflow would be a puzzle. Its samples go before, for there may be millions, and others could not
 * write for as long; a workflow without them is still whole. Then the space is given back in small steps, which cannot be done inside
 * a larger transaction; it is then used again by what comes next.
 */
export function deleteWorkflowRows(connection: Connection, workflowId: number): boolean {
  if (!connection.isInTransaction)
    deleteSamples(
      connection,
      connection.map(sampledAttempts, [workflowId], (row) => number(row, 'id')),
    )
  const deleted = connection.transaction(() => {
    for (const step of steps) connection.run(step, workflowId)
    return connection.run('DELETE FROM workflow WHERE id = ?', workflowId).changes === 1
  })
  if (deleted && !connection.isInTransaction) giveSpaceBack(connection)
  return deleted
}
