import type { BriefKey, BriefRecord } from '../../model/brief-record.ts'
import type { IdleWorkflow } from '../../model/idle-workflow.ts'
import type { JobState } from '../../model/job-state.ts'
import type { KeptSettings } from '../../model/kept-settings.ts'
import type { Owner } from '../../model/machine.ts'
import type { AttemptStatus } from '../../model/outcome.ts'
import type { JobRecord } from '../../model/record.ts'
import type { UtilizationRow } from '../../model/utilization-row.ts'
import type { WorkflowHead } from '../../model/workflow-head.ts'
import type { Workflow, WorkflowJob } from '../../model/workflow.ts'
import type { AttemptRef, AttemptStart } from './store.ts'

export type { JobState } from '../../model/job-state.ts'

/** The part of the ledger that keeps workflows: their jobs, runs and results. */
export interface WorkflowStore {
  /** Keeps a workflow with all its jobs waiting, whole or not at all; answers its id, counted from 1. */
  createWorkflow(workflow: NewWorkflow): number
  /**
   * Puts a mended workflow in the place of a stored one, whole or not at all. Jobs are the same where their names are: they
   * keep their id and their attempts, and stand as they are told to. Those that it no longer has leave the workflow;
   * their attempts stay.
   */
  mendWorkflow(workflowId: number, mended: MendedWorkflow): void
  /** Where its file was, and what that said then. */
  specOf(workflowId: number): Spec | undefined
  /** Where its attempts were to run when it was kept. */
  executorOf(workflowId: number): string | undefined
  /** Keeps how it is to be run, in place of what was kept before. */
  keepSettings(workflowId: number, settings: KeptSettings): void
  settingsOf(workflowId: number): KeptSettings
  /** The one that was made last; undefined where there is none. */
  newestWorkflowId(): number | undefined
  /** Newest first. */
  listWorkflows(): WorkflowHead[]
  findWorkflow(workflowId: number): StoredWorkflow | undefined
  /** The same without its jobs, which may be many. */
  findWorkflowRow(workflowId: number): WorkflowHead | undefined
  /** Jobs by id or name; those of the newest workflow first. */
  findJobs(query: JobQuery): JobPlace[]
  /** Deletes it with its jobs, runs, attempts and samples; false if there is none. */
  deleteWorkflow(workflowId: number): boolean

  /** Workflows, or this one, of which nothing has happened since then and nothing runs. Oldest first. */
  idleWorkflows(before: number, only?: number): IdleWorkflow[]

  /**
   * Makes somebody the only runner of a workflow. Answers null, or who holds it; the caller decides whether
   * that one is dead and may be replaced (`instead`).
   */
  lease(workflowId: number, owner: Owner, instead?: Owner): Owner | null
  release(workflowId: number, owner: Owner): void
  /** Whether somebody still is: one who gave no sign of life for long may have been replaced. */
  holds(workflowId: number, owner: Owner): boolean

  /** A run is one execution of what is left of a workflow, counted from 1 in each workflow. */
  beginRun(workflowId: number, run: NewRun): number
  endRun(workflowId: number, runId: number, endedAt: number): void
  runs(workflowId: number): RunRow[]
  /** The newest run of each workflow where that has not ended, or has since then; the newest workflows, so many. */
  recentRuns(endedSince: number, limit: number): RecentRun[]

  /** Sets the states of several jobs in one transaction. */
  setStates(changes: readonly StateChange[]): void
  /** Puts the jobs that stand so back to waiting; answers how many changed. */
  resetJobs(workflowId: number, states: readonly JobState[]): number
  /**
   * An attempt of a job of a workflow: the same record as a single command's. The job is `running` from then on, and
   * `finish` and `interrupt` set it to what became of the attempt, each in the same transaction. One that is handed
   * elsewhere waits there, and so does its job: `waits` says for what.
   */
  beginAttempt(job: AttemptOfJob, start: AttemptStart, waits?: string): AttemptRef
  /** Says for what an attempt waits now, as long as it does. */
  keepWaiting(taskId: string, waits: string): void
  /** An attempt that waited has begun, and its job runs. */
  keepBegun(taskId: string, startedAt: number): void
  /** An attempt whose runner died is this one's now, and waits until that one has found out how it stands. */
  takeUp(taskId: string, owner: Owner, waits: string): void
  /** Keeps how the executor of an attempt that runs elsewhere finds it again, in place of what was kept before. */
  keepHandle(taskId: string, handle: string): void
  /** What was kept of attempts of a workflow, those that are over too. */
  handles(workflowId: number): AttemptHandle[]
  /** Whether a job stands as a success now: a runner that was thought dead may have told so. */
  hasSucceeded(jobId: number): boolean
  /** The finished and running attempts of a workflow, by job, run and attempt. */
  results(workflowId: number, query: ResultQuery): ResultRow[]
  /** What is made of the same attempts with only these figures. 100,000 of them are never all held at once. */
  briefResults<Key extends BriefKey, T>(
    workflowId: number,
    query: ResultQuery,
    keys: readonly Key[],
    make: (result: BriefResult<Key>) => T,
  ): T[]
  /** How many attempts came before the latest of their jobs, of the jobs that the workflow has now. */
  countEarlier(workflowId: number, query: EarlierQuery): number
  /** The same attempts with only what tells whether a request was right: a third of the time, or less. */
  utilizationRows(workflowId: number, query: ResultQuery): UtilizationRow[]

  /** What a job's input files were when it succeeded. */
  keepInputs(jobId: number, inputs: readonly FileMark[]): void
  inputs(workflowId: number): ReadonlyMap<number, readonly FileMark[]>
}

/** Where the spec was, and what it said then: a spec that is deleted later is no loss. */
export interface Spec {
  readonly specPath: string
  readonly specText: string
}

export interface MendedWorkflow extends Spec {
  readonly workflow: Workflow
  /** Of each job, in their order. */
  readonly states: readonly JobState[]
}

export interface NewWorkflow extends Spec {
  readonly workflow: Workflow
  readonly user: string
  readonly createdAt: number
  /** Where its attempts are to run, if somebody said. */
  readonly executor?: string | undefined
}

export interface StoredWorkflow extends WorkflowHead {
  readonly workflow: Workflow
  readonly specText: string
  /** In the order of the file. */
  readonly jobs: readonly StoredJob[]
}

export interface StoredJob {
  readonly jobId: number
  readonly state: JobState
  /** Attempts made so far, in all runs. */
  readonly attempts: number
  readonly job: WorkflowJob
}

export interface NewRun {
  readonly startedAt: number
  readonly outputDirectory: string
  readonly host: string
  /** In which its jobs ran; null where an older build wrote it. */
  readonly workingDirectory: string | null
  /** To which its attempts were handed; absent: to this machine. */
  readonly executor?: string
}

export interface RunRow extends NewRun {
  readonly runId: number
  readonly endedAt: number | null
}

export interface RecentRun extends Pick<RunRow, 'runId' | 'startedAt' | 'endedAt'> {
  readonly workflowId: number
}

export interface StateChange {
  readonly jobId: number
  readonly state: JobState
}

export interface AttemptOfJob {
  readonly jobId: number
  readonly workflowId: number
  readonly runId: number
  /** Counted from 1 over all runs: `attempts` of the job, plus 1. */
  readonly attempt: number
}

export interface AttemptHandle {
  readonly taskId: string
  /** JSON. */
  readonly handle: string
}

/** What is given must fit. */
export interface JobQuery {
  readonly jobId?: number
  readonly name?: string
  readonly workflowId?: number
}

export interface JobPlace {
  readonly workflowId: number
  readonly jobId: number
  readonly name: string
  readonly state: JobState
  readonly attempts: number
}

export interface ResultQuery {
  /** Only attempts of this job. */
  readonly jobId?: number
  /** Without it: the latest result of each job that the workflow has now, whichever run it is from. */
  readonly runId?: number
  readonly allRuns?: boolean
  /** One of these. */
  readonly status?: readonly AttemptStatus[]
  /** Only attempts that left something running. */
  readonly leftSomething?: boolean
}

/** Which of the attempts that were not the last of their job are counted. */
export type EarlierQuery = Pick<ResultQuery, 'jobId' | 'status'>

export interface ResultRow {
  readonly jobId: number
  readonly runId: number
  readonly attempt: number
  readonly record: JobRecord
}

export interface BriefResult<Key extends BriefKey> extends Omit<ResultRow, 'record'> {
  readonly record: BriefRecord<Key>
}

/** Enough of a file to see that it changed. */
export interface FileMark {
  readonly path: string
  readonly sizeBytes: number
  readonly modifiedSeconds: number
  /** Of the content, where it is small enough to be read; null else. */
  readonly hash: string | null
}
