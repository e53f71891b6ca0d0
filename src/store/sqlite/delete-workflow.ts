import type { Connection } from './connection.ts'
import { giveSpaceBack } from './prune.ts'

// Children before parents: foreign keys are enforced.
const steps = [
  `DELETE FROM sample WHERE attempt_id IN (
     SELECT attempt.id FROM attempt JOIN job ON job.id = attempt.job_id WHERE job.workflow_id = ?)`,
  'DELETE FROM attempt WHERE job_id IN (SELECT id FROM job WHERE workflow_id = ?)',
  'DELETE FROM job_input WHERE job_id IN (SELECT id FROM job WHERE workflow_id = ?)',
  'DELETE FROM job WHERE workflow_id = ?',
  'DELETE FROM name_list WHERE workflow_id = ?',
  'DELETE FROM run WHERE workflow_id = ?',
]

/**
 * One transaction: half a workflow would be a puzzle. Then the space is given back in small steps, which
 * cannot be done inside a larger transaction; it is then used again by what comes next.
 */
export function deleteWorkflow(connection: Connection, workflowId: number): boolean {
  const deleted = connection.transaction(() => {
    for (const step of steps) connection.run(step, workflowId)
    return connection.run('DELETE FROM workflow WHERE id = ?', workflowId).changes === 1
  })
  if (deleted && !connection.isInTransaction) giveSpaceBack(connection)
  return deleted
}
