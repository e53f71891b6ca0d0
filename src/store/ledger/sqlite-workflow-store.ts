import type { JobState } from '../../model/job-state.ts'
import type { SQLInputValue } from 'node:sqlite'
import type { IdleWorkflow } from '../../model/idle-workflow.ts'
import type { Owner } from '../../model/machine.ts'
import type { AttemptRef, AttemptStart } from './store.ts'
import type { BriefKey } from '../../model/brief-record.ts'
import type { UtilizationRow } from '../../model/utilization-row.ts'
import type { WorkflowHead } from '../../model/workflow-head.ts'
import type {
  AttemptOfJob,
  BriefResult,
  FileMark,
  JobPlace,
  JobQuery,
  MendedWorkflow,
  NewRun,
  NewWorkflow,
  ResultQuery,
  ResultRow,
  RunRow,
  Spec,
  StateChange,
  StoredWorkflow,
  WorkflowStore,
} from './workflow-store.ts'
import type { Connection } from '../sqlite/connection.ts'
import { createWorkflow, mendWorkflow } from './workflows/create-workflow.ts'
import { deleteWorkflowRows } from './workflows/delete-workflow.ts'
import { StoreError } from '../errors.ts'
import { DefinitionReader } from './workflows/job-definition.ts'
import { idleWorkflows } from './workflows/idle-workflows.ts'
import { inputsOf, keepInputs } from './workflows/job-input-table.ts'
import { holds, lease, release } from './workflows/lease.ts'
import { NameListReader } from './workflows/name-lists.ts'
import { attemptColumns, jobColumns } from './records/record-row.ts'
import { briefResultsOf, resultsOf } from './workflows/result-query.ts'
import { number, numberOrNull, text } from '../sqlite/row.ts'
import { beginRun, endRun, runsOf } from './workflows/run-table.ts'
import { utilizationRowsOf } from './workflows/utilization-query.ts'
import { stateOf, workflowOf, workflowRows } from './workflows/workflow-row.ts'
import { insertRow, updateRow } from '../sqlite/write-row.ts'

const jobsOfWorkflow = `
  SELECT id, state, attempt_count, name, shell_command, definition
  FROM job WHERE workflow_id = ? AND position IS NOT NULL ORDER BY position`

/** Workflows in the same file as all records. */
export class SqliteWorkflowStore implements WorkflowStore {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  createWorkflow(workflow: NewWorkflow): number {
    return this.#connection.transaction(() => createWorkflow(this.#connection, workflow))
  }

  mendWorkflow(workflowId: number, mended: MendedWorkflow): void {
    this.#connection.transaction(() => mendWorkflow(this.#connection, workflowId, mended))
  }

  specOf(workflowId: number): Spec | undefined {
    const sql = 'SELECT spec_path, spec_text FROM workflow WHERE id = ?'
    const row = this.#connection.row(sql, workflowId)
    if (row === undefined) return undefined
    return this.#connection.guard(() => ({
      specPath: text(row, 'spec_path'),
      specText: text(row, 'spec_text'),
    }))
  }

  newestWorkflowId(): number | undefined {
    const row = this.#connection.row('SELECT max(id) AS id FROM workflow')
    return row === undefined ? undefined : (numberOrNull(row, 'id') ?? undefined)
  }

  listWorkflows(): WorkflowHead[] {
    return workflowRows(this.#connection)
  }

  findWorkflowRow(workflowId: number): WorkflowHead | undefined {
    return workflowRows(this.#connection, workflowId)[0]
  }

  findWorkflow(workflowId: number): StoredWorkflow | undefined {
    const head = this.findWorkflowRow(workflowId)
    const sql = 'SELECT spec_text, definition FROM workflow WHERE id = ?'
    const row = this.#connection.row(sql, workflowId)
    if (head === undefined || row === undefined) return undefined
    return this.#connection.guard(() => {
      const reader = new DefinitionReader(new NameListReader(this.#connection, workflowId))
      const jobs = this.#connection.map(jobsOfWorkflow, [workflowId], (job) => ({
        jobId: number(job, 'id'),
        state: stateOf(job),
        attempts: number(job, 'attempt_count'),
        job: reader.restore(job),
      }))
      const definitions = jobs.map(({ job }) => job)
      return {
        ...head,
        specText: text(row, 'spec_text'),
        workflow: workflowOf(row, definitions),
        jobs,
      }
    })
  }

  findJobs(query: JobQuery): JobPlace[] {
    const conditions: string[] = ['workflow_id IS NOT NULL', 'position IS NOT NULL']
    const values: SQLInputValue[] = []
    const where = (condition: string, value: SQLInputValue | undefined): void => {
      if (value === undefined) return
      conditions.push(condition)
      values.push(value)
    }
    where('id = ?', query.jobId)
    where('name = ?', query.name)
    where('workflow_id = ?', query.workflowId)
    const rows = this.#connection.rows(
      `SELECT workflow_id, id, name, state, attempt_count FROM job
       WHERE ${conditions.join(' AND ')} ORDER BY workflow_id DESC, position`,
      ...values,
    )
    return this.#connection.guard(() =>
      rows.map((row) => ({
        workflowId: number(row, 'workflow_id'),
        jobId: number(row, 'id'),
        name: text(row, 'name'),
        state: stateOf(row),
        attempts: number(row, 'attempt_count'),
      })),
    )
  }

  deleteWorkflow(workflowId: number): boolean {
    return deleteWorkflowRows(this.#connection, workflowId)
  }

  idleWorkflows(before: number, only?: number): IdleWorkflow[] {
    return idleWorkflows(this.#connection, before, only)
  }

  lease(workflowId: number, owner: Owner, instead?: Owner): Owner | null {
    return this.#connection.transaction(() => lease(this.#connection, workflowId, owner, instead))
  }

  release(workflowId: number, owner: Owner): void {
    release(this.#connection, workflowId, owner)
  }

  holds(workflowId: number, owner: Owner): boolean {
    return holds(this.#connection, workflowId, owner)
  }

  beginRun(workflowId: number, run: NewRun): number {
    return beginRun(this.#connection, workflowId, run)
  }

  endRun(workflowId: number, runId: number, endedAt: number): void {
    endRun(this.#connection, workflowId, runId, endedAt)
  }

  runs(workflowId: number): RunRow[] {
    return runsOf(this.#connection, workflowId)
  }

  setStates(changes: readonly StateChange[]): void {
    if (changes.length === 0) return
    this.#connection.transaction(() => {
      const statement = this.#connection.prepare(
        'UPDATE job SET state = ? WHERE id = ? AND workflow_id IS NOT NULL',
      )
      for (const { jobId, state } of changes) statement.run(state, jobId)
    })
  }

  resetJobs(workflowId: number, states: readonly JobState[]): number {
    const sql = `UPDATE job SET state = 'waiting'
      WHERE workflow_id = ? AND position IS NOT NULL AND state <> 'waiting'
        AND state IN (${states.map(() => '?').join(', ')})`
    return this.#connection.run(sql, workflowId, ...states).changes
  }

  beginAttempt(of: AttemptOfJob, start: AttemptStart): AttemptRef {
    const { jobId, workflowId, attempt } = of
    return this.#connection.transaction(() => {
      const columns = { ...jobColumns(start.job), state: 'running', attempt_count: attempt }
      if (!updateRow(this.#connection, 'job', jobId, columns))
        throw new StoreError(
          'conflict',
          this.#connection.path,
          `job ${jobId} of workflow ${workflowId} is no longer in the ledger`,
        )
      const attemptId = insertRow(this.#connection, 'attempt', attemptColumns(start, of))
      return { taskId: start.taskId, jobId, attemptId }
    })
  }

  results(workflowId: number, query: ResultQuery): ResultRow[] {
    return resultsOf(this.#connection, workflowId, query)
  }

  briefResults<Key extends BriefKey, T>(
    workflowId: number,
    query: ResultQuery,
    keys: readonly Key[],
    make: (result: BriefResult<Key>) => T,
  ): T[] {
    return briefResultsOf(this.#connection, workflowId, query, keys, make)
  }

  utilizationRows(workflowId: number, query: ResultQuery): UtilizationRow[] {
    return utilizationRowsOf(this.#connection, workflowId, query)
  }

  keepInputs(jobId: number, inputs: readonly FileMark[]): void {
    this.#connection.transaction(() => keepInputs(this.#connection, jobId, inputs))
  }

  inputs(workflowId: number): ReadonlyMap<number, readonly FileMark[]> {
    return inputsOf(this.#connection, workflowId)
  }

  hasSucceeded(jobId: number): boolean {
    const sql = "SELECT 1 FROM job WHERE id = ? AND state = 'success'"
    return this.#connection.row(sql, jobId) !== undefined
  }
}
