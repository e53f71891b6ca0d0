import type { PoolClient } from 'pg'
import type { Statements } from '../connection.ts'
import type { WorkflowRows } from './batch.ts'
import { assigned, boundBy, copyIncoming, listed } from './incoming.ts'
import type { Shape } from './copy-rows.ts'
import { jobShape, nameListShape, runShape, workflowShape } from './shapes.ts'

const marks = (shape: Shape): string =>
  Object.keys(shape)
    .map(() => '?')
    .join(', ')

const keepWorkflow = `
  INSERT INTO workflow (source_id, ${listed(workflowShape)}) VALUES (?, ${marks(workflowShape)})
  ON CONFLICT (source_id, source_workflow_id) DO UPDATE SET ${assigned(workflowShape, 'excluded')}
  RETURNING id`

const keepRun = `
  INSERT INTO run (workflow_id, ${listed(runShape)}) VALUES (?, ${marks(runShape)})
  ON CONFLICT (workflow_id, run_id) DO UPDATE SET ${assigned(runShape, 'excluded')}`

const addNameList = `INSERT INTO name_list (workflow_id, ${listed(nameListShape)}) VALUES (?, ${marks(nameListShape)})`

const incoming = { name: 'incoming_job', shape: jobShape }

const keepJobs = `
  INSERT INTO job (source_id, workflow_id, ${listed(jobShape)})
  SELECT ?, ?, ${listed(jobShape)} FROM incoming_job ORDER BY place
  ON CONFLICT (source_id, source_job_id) DO UPDATE SET ${assigned(jobShape, 'excluded')}`

/** Workflows with those of their jobs that have changed. Belongs inside a transaction that has the source's lock. */
export async function mergeWorkflows(
  client: PoolClient,
  statements: Statements,
  sourceId: number,
  workflows: readonly WorkflowRows[],
): Promise<void> {
  for (const { workflow, runs, nameLists, jobs } of workflows) {
    const [row] = await statements.rows(keepWorkflow, [
      sourceId,
      ...boundBy(workflowShape, workflow),
    ])
    const workflowId = Number(row?.['id'])
    for (const run of runs) await statements.run(keepRun, [workflowId, ...boundBy(runShape, run)])
    if (nameLists !== undefined) {
      await statements.run('DELETE FROM name_list WHERE workflow_id = ?', [workflowId])
      for (const list of nameLists)
        await statements.run(addNameList, [workflowId, ...boundBy(nameListShape, list)])
    }
    if (jobs.length === 0) continue
    await copyIncoming(client, statements, incoming, jobs)
    await statements.run(keepJobs, [sourceId, workflowId])
    await statements.run('DELETE FROM incoming_job')
  }
}
