import type { BriefKey } from '../../../model/brief-record.ts'
import type { IdleWorkflow } from '../../../model/idle-workflow.ts'
import type { JobState } from '../../../model/job-state.ts'
import type { KeptSettings } from '../../../model/kept-settings.ts'
import type { Owner } from '../../../model/machine.ts'
import type { JobRecord } from '../../../model/record.ts'
import type { UtilizationRow } from '../../../model/utilization-row.ts'
import type { WorkflowHead } from '../../../model/workflow-head.ts'
import type { AttemptRef, AttemptStart } from '../store.ts'
import type {
  AttemptHandle,
  AttemptOfJob,
  BriefResult,
  EarlierQuery,
  FileMark,
  JobPlace,
  JobQuery,
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
} from '../workflow-store.ts'
import { utilizationOf } from './utilization-query.ts'

/**
 * The workflows of a ledger that cannot be written to just now. What their dead runners left running is shown as
 * interrupted here too, though nobody can mark it. Writing is left to the ledger.
 */
export class WorkflowsInPlace implements WorkflowStore {
  readonly #store: WorkflowStore
  readonly #interrupted: () => readonly JobRecord[]

  constructor(store: WorkflowStore, interrupted: () => readonly JobRecord[]) {
    this.#store = store
    this.#interrupted = interrupted
  }

  listWorkflows(): WorkflowHead[] {
    const places = this.#interruptedJobs()
    return this.#store.listWorkflows().map((head) => withStates(head, places))
  }

  findWorkflowRow(workflowId: number): WorkflowHead | undefined {
    const head = this.#store.findWorkflowRow(workflowId)
    return head === undefined ? undefined : withStates(head, this.#interruptedJobs())
  }

  findWorkflow(workflowId: number): StoredWorkflow | undefined {
    const found = this.#store.findWorkflow(workflowId)
    if (found === undefined) return undefined
    const places = this.#interruptedJobs()
    const jobs = found.jobs.map((job) =>
      places.has(job.jobId) ? { ...job, state: 'interrupted' as const } : job,
    )
    return { ...found, ...withStates(found, places), jobs }
  }

  findJobs(query: JobQuery): JobPlace[] {
    const places = this.#interruptedJobs()
    return this.#store
      .findJobs(query)
      .map((job) => (places.has(job.jobId) ? { ...job, state: 'interrupted' } : job))
  }

  results(workflowId: number, query: ResultQuery): ResultRow[] {
    const records = this.#records()
    return this.#store
      .results(workflowId, withOpen(query))
      .map((result) => ({ ...result, record: records.get(result.record.taskId) ?? result.record }))
      .filter(({ record }) => isAsked(record, query))
  }

  briefResults<Key extends BriefKey, T>(
    workflowId: number,
    query: ResultQuery,
    keys: readonly Key[],
    make: (result: BriefResult<Key>) => T,
  ): T[] {
    const records = this.#records()
    const made: T[] = []
    this.#store.briefResults(workflowId, withOpen(query), keys, (result) => {
      const record = records.get(result.record.taskId) ?? result.record
      if (isAsked(record, query)) made.push(make({ ...result, record }))
    })
    return made
  }

  utilizationRows(workflowId: number, query: ResultQuery): UtilizationRow[] {
    const records = new Map(this.#interrupted().map((record) => [keyOf(record), record]))
    return this.#store
      .utilizationRows(workflowId, withOpen(query))
      .map((row) => {
        const record = records.get(keyOf(row))
        return record === undefined ? row : { ...row, ...utilizationOf(record) }
      })
      .filter((row) => isAsked(row, query))
  }

  /** An attempt that was left running is the last of its job. */
  countEarlier(workflowId: number, query: EarlierQuery): number {
    return this.#store.countEarlier(workflowId, query)
  }

  newestWorkflowId(): number | undefined {
    return this.#store.newestWorkflowId()
  }

  specOf(workflowId: number): Spec | undefined {
    return this.#store.specOf(workflowId)
  }

  settingsOf(workflowId: number): KeptSettings {
    return this.#store.settingsOf(workflowId)
  }

  executorOf(workflowId: number): string | undefined {
    return this.#store.executorOf(workflowId)
  }

  idleWorkflows(before: number, only?: number): IdleWorkflow[] {
    return this.#store.idleWorkflows(before, only)
  }

  holds(workflowId: number, owner: Owner): boolean {
    return this.#store.holds(workflowId, owner)
  }

  runs(workflowId: number): RunRow[] {
    return this.#store.runs(workflowId)
  }

  recentRuns(endedSince: number, limit: number): RecentRun[] {
    return this.#store.recentRuns(endedSince, limit)
  }

  handles(workflowId: number): AttemptHandle[] {
    return this.#store.handles(workflowId)
  }

  hasSucceeded(jobId: number): boolean {
    return this.#store.hasSucceeded(jobId)
  }

  inputs(workflowId: number): ReadonlyMap<number, readonly FileMark[]> {
    return this.#store.inputs(workflowId)
  }

  createWorkflow(workflow: NewWorkflow): number {
    return this.#store.createWorkflow(workflow)
  }

  mendWorkflow(workflowId: number, mended: MendedWorkflow): void {
    this.#store.mendWorkflow(workflowId, mended)
  }

  deleteWorkflow(workflowId: number): boolean {
    return this.#store.deleteWorkflow(workflowId)
  }

  lease(workflowId: number, owner: Owner, instead?: Owner): Owner | null {
    return this.#store.lease(workflowId, owner, instead)
  }

  release(workflowId: number, owner: Owner): void {
    this.#store.release(workflowId, owner)
  }

  beginRun(workflowId: number, run: NewRun): number {
    return this.#store.beginRun(workflowId, run)
  }

  endRun(workflowId: number, runId: number, endedAt: number): void {
    this.#store.endRun(workflowId, runId, endedAt)
  }

  setStates(changes: readonly StateChange[]): void {
    this.#store.setStates(changes)
  }

  resetJobs(workflowId: number, states: readonly JobState[]): number {
    return this.#store.resetJobs(workflowId, states)
  }

  beginAttempt(job: AttemptOfJob, start: AttemptStart, waits?: string): AttemptRef {
    return this.#store.beginAttempt(job, start, waits)
  }

  keepWaiting(taskId: string, waits: string): void {
    this.#store.keepWaiting(taskId, waits)
  }

  keepBegun(taskId: string, startedAt: number): void {
    this.#store.keepBegun(taskId, startedAt)
  }

  takeUp(taskId: string, owner: Owner, waits: string): void {
    this.#store.takeUp(taskId, owner, waits)
  }

  keepHandle(taskId: string, handle: string): void {
    this.#store.keepHandle(taskId, handle)
  }

  keepSettings(workflowId: number, settings: KeptSettings): void {
    this.#store.keepSettings(workflowId, settings)
  }

  keepInputs(jobId: number, inputs: readonly FileMark[]): void {
    this.#store.keepInputs(jobId, inputs)
  }

  #records(): ReadonlyMap<string, JobRecord> {
    return new Map(this.#interrupted().map((record) => [record.taskId, record]))
  }

  /** As the ledger has them, by id: those whose last attempt was left running. */
  #interruptedJobs(): ReadonlyMap<number, JobPlace> {
    const places = this.#interrupted().flatMap(({ jobId, attempt }) =>
      jobId === null
        ? []
        : this.#store.findJobs({ jobId }).filter(({ attempts }) => attempts === attempt),
    )
    return new Map(places.map((place) => [place.jobId, place]))
  }
}

const keyOf = ({ jobId, attempt }: { jobId: number | null; attempt: number }): string =>
  `${jobId} ${attempt}`

/** What is interrupted is among those that the ledger has as open. */
const withOpen = (query: ResultQuery): ResultQuery =>
  query.status === undefined
    ? query
    : { ...query, status: [...new Set([...query.status, 'running' as const])] }

const isAsked = ({ status }: Pick<JobRecord, 'status'>, asked: ResultQuery): boolean =>
  asked.status?.includes(status) ?? true

function withStates(head: WorkflowHead, places: ReadonlyMap<number, JobPlace>): WorkflowHead {
  const states = { ...head.states }
  for (const { workflowId, state } of places.values()) {
    if (workflowId !== head.workflowId) continue
    states[state] -= 1
    states.interrupted += 1
  }
  return { ...head, states }
}
