import { jobStates, type JobState } from '../../../model/job-state.ts'
import type { Owner } from '../../../model/machine.ts'
import type { Workflow } from '../../../model/workflow.ts'
import type { WorkflowHead } from '../../../model/workflow-head.ts'
import type { NewWorkflow, Spec } from '../workflow-store.ts'
import type { Connection } from '../../sqlite/connection.ts'
import { MalformedRow } from '../../errors.ts'
import { ownerNames, ownerOf } from '../records/owner-row.ts'
import { number, numberOrNull, object, text, textOrNull, type Row } from '../../sqlite/row.ts'
import type { RowValues } from '../../sqlite/write-row.ts'

/** The columns of a new row in `workflow`. */
export function workflowColumns(created: NewWorkflow): RowValues {
  const { user, createdAt, executor = null } = created
  return { ...definitionColumns(created), user, created_at: createdAt, executor }
}

/** Those that a mended file changes. */
export function definitionColumns({
  workflow,
  specPath,
  specText,
}: Spec & { readonly workflow: Workflow }): RowValues {
  return {
    name: workflow.name,
    spec_path: specPath,
    spec_text: specText,
    definition: JSON.stringify({ ...workflow, jobs: undefined }),
  }
}

export function workflowOf(row: Row, jobs: Workflow['jobs']): Workflow {
  // Older builds did not know of these.
  const definition = { strictFiles: false, maxParallelJobs: null, ...object(row, 'definition') }
  return { ...(definition as unknown as Omit<Workflow, 'jobs'>), jobs }
}

// `user` alone is whoever asks, in some engines.
const head = `
  SELECT id, name, workflow.user, created_at, spec_path, ${ownerNames.join(', ')},
    (SELECT max(run_id) FROM run WHERE workflow_id = workflow.id) AS latest_run_id
  FROM workflow`
const counts = `
  SELECT workflow_id, state, count(*) AS jobs FROM job
  WHERE workflow_id IS NOT NULL AND position IS NOT NULL`

/** What `workflowHeads` is made of: rows of workflows, newest first, and how many of their jobs stand how. */
export const headQueries = (
  only: number | undefined,
): { readonly heads: string; readonly tallies: string; readonly values: number[] } => {
  const [mine, theirs] = only === undefined ? ['', ''] : ['WHERE id = ?', 'AND workflow_id = ?']
  return {
    heads: `${head} ${mine} ORDER BY id DESC`,
    tallies: `${counts} ${theirs} GROUP BY workflow_id, state`,
    values: only === undefined ? [] : [only],
  }
}

export function workflowHeads(rows: readonly Row[], tallies: readonly Row[]): WorkflowHead[] {
  const states = statesByWorkflow(tallies)
  return rows.map((row) => rowOf(row, states.get(number(row, 'id')) ?? noJobs()))
}

export const newestWorkflow = 'SELECT max(id) AS id FROM workflow'

/** One workflow as lists show it, or all of them, newest first. */
export function workflowRows(connection: Connection, only?: number): WorkflowHead[] {
  const { heads, tallies, values } = headQueries(only)
  const rows = connection.rows(heads, ...values)
  const counted = connection.rows(tallies, ...values)
  return connection.guard(() => workflowHeads(rows, counted))
}

function rowOf(row: Row, states: Record<JobState, number>): WorkflowHead {
  return {
    workflowId: number(row, 'id'),
    name: text(row, 'name'),
    user: text(row, 'user'),
    createdAt: number(row, 'created_at'),
    specPath: text(row, 'spec_path'),
    jobCount: jobStates.reduce((sum, state) => sum + states[state], 0),
    states,
    latestRunId: numberOrNull(row, 'latest_run_id'),
    leasedBy: leaseOf(row),
  }
}

function statesByWorkflow(tallies: readonly Row[]): Map<number, Record<JobState, number>> {
  const all = new Map<number, Record<JobState, number>>()
  for (const row of tallies) {
    const id = number(row, 'workflow_id')
    const states = all.get(id) ?? noJobs()
    states[stateOf(row)] = number(row, 'jobs')
    all.set(id, states)
  }
  return all
}

const noJobs = (): Record<JobState, number> =>
  Object.fromEntries(jobStates.map((state) => [state, 0])) as Record<JobState, number>

export function stateOf(row: Row): JobState {
  const stored = text(row, 'state')
  const known = jobStates.find((state) => state === stored)
  if (known === undefined) throw new MalformedRow(`no state is called ${stored}`)
  return known
}

/** Who runs the workflow. */
export const leaseOf = (row: Row): Owner | null =>
  textOrNull(row, 'owner_host') === null ? null : ownerOf(row)
