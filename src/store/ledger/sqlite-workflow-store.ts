import type { JobState } from '../../model/job-state.ts'
import type { IdleWorkflow } from '../../model/idle-workflow.ts'
import { nothingKept, type KeptSettings } from '../../model/kept-settings.ts'
import type { Owner } from '../../model/machine.ts'
import type { AttemptRef, AttemptStart } from './store.ts'
import type { BriefKey } from '../../model/brief-record.ts'
import type { UtilizationRow } from '../../model/utilization-row.ts'
import type { WorkflowHead } from '../../model/workflow-head.ts'
import type {
  AttemptHandle,
  AttemptOfJob,
  BriefResult,
  FileMark,
  JobPlace,
  JobQuery,
  EarlierQuery,
  MendedWorkflow,
  NewRun,
  NewWorkflow,
  RecentRun,
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
import { keepBegun, keepWaiting, takeUp } from './workflows/handed-attempts.ts'
import { handlesOf, keepHandle } from './workflows/handle-table.ts'
import { idleWorkflows } from './workflows/idle-workflows.ts'
import { inputsOf, keepInputs } from './workflows/job-input-table.ts'
import { holds, lease, release } from './workflows/lease.ts'
import { attemptColumns, jobColumns } from './records/record-row.ts'
import { briefResultsOf, countEarlierOf, resultsOf } from './workflows/result-query.ts'
import { numberOrNull, object, text, textOrNull } from '../sqlite/row.ts'
import { beginRun, endRun, recentRunsOf, runsOf } from './workflows/run-table.ts'
import {
  jobRestorer,
  placeIn,
  placesQuery,
  storedWorkflow,
  workflowQueries,
} from './workflows/stored-workflow.ts'
import { utilizationRowsOf } from './workflows/utilization-query.ts'
import { newestWorkflow, workflowRows } from './workflows/workflow-row.ts'
import { insertRow, updateRow } from '../sqlite/write-row.ts'

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

  executorOf(workflowId: number): string | undefined {
    const row = this.#connection.row('SELECT executor FROM workflow WHERE id = ?', workflowId)
    return this.#connection.guard(
      () => textOrNull(row ?? { executor: null }, 'executor') ?? undefined,
    )
  }

  keepSettings(workflowId: number, settings: KeptSettings): void {
    updateRow(this.#connection, 'workflow', workflowId, { settings: JSON.stringify(settings) })
  }

  settingsOf(workflowId: number): KeptSettings {
    const sql = 'SELECT settings FROM workflow WHERE id = ? AND settings IS NOT NULL'
    const row = this.#connection.row(sql, workflowId)
    if (row === undefined) return nothingKept
    return this.#connection.guard(() => ({ ...nothingKept, ...object(row, 'settings') }))
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
    const row = this.#connection.row(newestWorkflow)
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
    const definition = this.#connection.row(workflowQueries.definition, workflowId)
    if (head === undefined || definition === undefined) return undefined
    return this.#connection.guard(() => {
      const restore = jobRestorer(this.#connection.rows(workflowQueries.lists, workflowId))
      const jobs = this.#connection.map(workflowQueries.jobs, [workflowId], restore)
      return storedWorkflow(head, definition, jobs)
    })
  }

  findJobs(query: JobQuery): JobPlace[] {
    const { sql, values } = placesQuery(query)
    return this.#connection.map(sql, values, placeIn)
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

  recentRuns(endedSince: number, limit: number): RecentRun[] {
    return recentRunsOf(this.#connection, endedSince, limit)
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

  beginAttempt(of: AttemptOfJob, start: AttemptStart, waits?: string): AttemptRef {
    const { jobId, workflowId, attempt } = of
    const state = waits === undefined ? 'running' : 'waiting'
    return this.#connection.transaction(() => {
      const columns = { ...jobColumns(start.job), state, attempt_count: attempt }
      if (!updateRow(this.#connection, 'job', jobId, columns))
        throw new StoreError(
          'conflict',
          this.#connection.path,
          `job ${jobId} of workflow ${workflowId} is no longer in the ledger`,
        )
      const attemptId = insertRow(this.#connection, 'attempt', attemptColumns(start, of, waits))
      return { taskId: start.taskId, jobId, attemptId }
    })
  }

  keepWaiting(taskId: string, waits: string): void {
    this.#connection.transaction(() => keepWaiting(this.#connection, taskId, waits))
  }

  keepBegun(taskId: string, startedAt: number): void {
    this.#connection.transaction(() => keepBegun(this.#connection, taskId, startedAt))
  }

  takeUp(taskId: string, owner: Owner, waits: string): void {
    this.#connection.transaction(() => takeUp(this.#connection, taskId, owner, waits))
  }

  keepHandle(taskId: string, handle: string): void {
    keepHandle(this.#connection, taskId, handle)
  }

  handles(workflowId: number): AttemptHandle[] {
    return handlesOf(this.#connection, workflowId)
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

  countEarlier(workflowId: number, query: EarlierQuery): number {
    return countEarlierOf(this.#connection, workflowId, query)
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
