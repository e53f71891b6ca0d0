import type { WorkflowJob } from '../../../model/workflow.ts'
import type { MendedWorkflow, NewWorkflow } from '../workflow-store.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { definitionText } from './job-definition.ts'
import { NameListWriter } from './name-lists.ts'
import { number, text } from '../../sqlite/row.ts'
import { definitionColumns, workflowColumns } from './workflow-row.ts'
import { insertRow, updateRow } from '../../sqlite/write-row.ts'

const insertJob = `
  INSERT INTO job (
    workflow_id, position, state, attempt_count, name, shell_command, definition,
    cpus, memory_bytes, gpus, runtime_seconds,
    tool, params, tags, command, working_directory)
  VALUES (?, ?, 'waiting', 0, ?, ?, ?, ?, ?, ?, ?, '', '{}', '[]', '[]', '')`

/** Writes a workflow with all its jobs; answers its id. Belongs inside a transaction. */
export function createWorkflow(connection: Connection, created: NewWorkflow): number {
  const workflowId = insertRow(connection, 'workflow', workflowColumns(created))
  const insert = jobInserter(connection, workflowId)
  created.workflow.jobs.forEach(insert)
  return workflowId
}

/** What writes the jobs of a workflow, each waiting, at their places. */
function jobInserter(
  connection: Connection,
  workflowId: number,
  lists = new NameListWriter(connection, workflowId),
): (job: WorkflowJob, position: number) => void {
  const statement = connection.prepare(insertJob)
  return (job, position) => {
    const { cpus, memoryBytes, gpus, runtimeSeconds } = job.requirements
    statement.run(
      workflowId,
      position,
      job.name,
      job.command,
      definitionText(job, lists),
      cpus,
      memoryBytes,
      gpus,
      runtimeSeconds,
    )
  }
}

const jobsByName = `
  SELECT id, name FROM job WHERE workflow_id = ? AND position IS NOT NULL`
const leave = 'UPDATE job SET position = NULL WHERE workflow_id = ?'
const change = `
  UPDATE job SET position = ?, state = ?, shell_command = ?, definition = ? WHERE id = ?`

/**
 * Puts a mended workflow in the place of what was there. A job that it no longer has loses its position, which is what
 * makes it a part of the workflow. What a job asked for in earlier attempts stays with them: a new attempt
 * writes what it asks for. Belongs inside a transaction.
 */
export function mendWorkflow(
  connection: Connection,
  workflowId: number,
  mended: MendedWorkflow,
): void {
  updateRow(connection, 'workflow', workflowId, definitionColumns(mended))
  const known = new Map(
    connection
      .rows(jobsByName, workflowId)
      .map((row): [string, number] => [text(row, 'name'), number(row, 'id')]),
  )
  connection.run(leave, workflowId)
  connection.run('DELETE FROM name_list WHERE workflow_id = ?', workflowId)
  const lists = new NameListWriter(connection, workflowId)
  const insert = jobInserter(connection, workflowId, lists)
  const statement = connection.prepare(change)
  mended.workflow.jobs.forEach((job, position) => {
    const id = known.get(job.name)
    if (id === undefined) insert(job, position)
    else {
      const state = mended.states[position] ?? 'waiting'
      statement.run(position, state, job.command, definitionText(job, lists), id)
    }
  })
}
