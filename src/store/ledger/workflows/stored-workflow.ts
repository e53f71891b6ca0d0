import type { WorkflowHead } from '../../../model/workflow-head.ts'
import { number, text, type Row } from '../../sqlite/row.ts'
import type { JobPlace, JobQuery, StoredJob, StoredWorkflow } from '../workflow-store.ts'
import { DefinitionReader } from './job-definition.ts'
import { listsOfWorkflow, NameListReader } from './name-lists.ts'
import { stateOf, workflowOf } from './workflow-row.ts'

/** What `storedWorkflow` is made of besides the head, each by the id of the workflow. */
export const workflowQueries = {
  definition: 'SELECT spec_text, definition FROM workflow WHERE id = ?',
  lists: listsOfWorkflow,
  jobs: `
    SELECT id, state, attempt_count, name, shell_command, definition
    FROM job WHERE workflow_id = ? AND position IS NOT NULL ORDER BY position`,
} as const

/** A workflow with all its jobs. */
export function storedWorkflow(
  head: WorkflowHead,
  definition: Row,
  jobs: readonly StoredJob[],
): StoredWorkflow {
  const definitions = jobs.map(({ job }) => job)
  return {
    ...head,
    specText: text(definition, 'spec_text'),
    workflow: workflowOf(definition, definitions),
    jobs,
  }
}

/** Makes jobs of rows; `lists` are the rows of the lists of names in them. */
export function jobRestorer(lists: readonly Row[]): (row: Row) => StoredJob {
  const reader = new DefinitionReader(new NameListReader(lists))
  return (row) => ({
    jobId: number(row, 'id'),
    state: stateOf(row),
    attempts: number(row, 'attempt_count'),
    job: reader.restore(row),
  })
}

/** Asks for jobs by what is given. */
export function placesQuery(query: JobQuery): {
  readonly sql: string
  readonly values: (string | number)[]
} {
  const conditions: string[] = ['workflow_id IS NOT NULL', 'position IS NOT NULL']
  const values: (string | number)[] = []
  const where = (condition: string, value: string | number | undefined): void => {
    if (value === undefined) return
    conditions.push(condition)
    values.push(value)
  }
  where('id = ?', query.jobId)
  where('name = ?', query.name)
  where('workflow_id = ?', query.workflowId)
  const sql = `
    SELECT workflow_id, id, name, state, attempt_count FROM job
    WHERE ${conditions.join(' AND ')} ORDER BY workflow_id DESC, position`
  return { sql, values }
}

export const placeIn = (row: Row): JobPlace => ({
  workflowId: number(row, 'workflow_id'),
  jobId: number(row, 'id'),
  name: text(row, 'name'),
  state: stateOf(row),
  attempts: number(row, 'attempt_count'),
})
