import type { NewWorkflow } from '../workflow-store.ts'
import type { Connection } from './connection.ts'
import { definitionText } from './job-definition.ts'
import { NameListWriter } from './name-lists.ts'
import { workflowColumns } from './workflow-row.ts'
import { insertRow } from './write-row.ts'

const insertJob = `
  INSERT INTO job (
    workflow_id, position, state, attempt_count, name, shell_command, definition,
    cpus, memory_bytes, gpus, runtime_seconds,
    tool, params, tags, command, working_directory)
  VALUES (?, ?, 'waiting', 0, ?, ?, ?, ?, ?, ?, ?, '', '{}', '[]', '[]', '')`

/** Writes a workflow with all its jobs; answers its id. Belongs inside a transaction. */
export function createWorkflow(connection: Connection, created: NewWorkflow): number {
  const workflowId = insertRow(connection, 'workflow', workflowColumns(created))
  const lists = new NameListWriter(connection, workflowId)
  const statement = connection.prepare(insertJob)
  created.workflow.jobs.forEach((job, position) => {
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
  })
  return workflowId
}
