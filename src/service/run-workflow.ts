import { JobCgroups } from '../launch/job-cgroup.ts'
import { chosenGauges } from '../meter/gauges/chosen.ts'
import { Meter } from '../meter/meter.ts'
import type { MetricName } from '../model/metrics.ts'
import type { Misfit } from '../model/plan.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import type { LockWait } from '../store/sqlite/lock-wait.ts'
import type { StoredWorkflow } from '../store/ledger/workflow-store.ts'
import { claimOutput } from '../store/output-claim.ts'
import { givenEnvironment } from '../system/given.ts'
import type { System } from '../system/system.ts'
import { LocalExecutor } from '../workflow/executors/local-executor.ts'
import { LocalScripts } from '../workflow/executors/local-scripts.ts'
import { misfitsOf } from '../workflow/run/capacity.ts'
import { DeclaredFiles, type AbsentInput } from '../workflow/run/declared-files.ts'
import type { RunObserver, RunSummary } from '../workflow/run/events.ts'
import type { Executor, LeftAttempt } from '../workflow/run/executor.ts'
import type { Mending } from '../workflow/run/mended.ts'
import { OutputDirectory } from '../workflow/run/output-directory.ts'
import { WorkflowRunner } from '../workflow/run/runner.ts'
import type { RunSettings } from '../workflow/run/runner-tools.ts'
import { findStale } from '../workflow/run/stale-inputs.ts'
import { machineOf } from './capacity.ts'
import { seeToLeftovers } from './leftovers.ts'
import { mendStored, type MendedSpec } from './mended-spec.ts'
import { runSettings, settingsFor, type GivenSettings } from './run-settings.ts'
import { UserError } from './user-error.ts'
import { noWorkflow, WorkflowLease } from './workflow-lease.ts'

export interface WorkflowRunRequest {
  readonly workflowId: number
  readonly settings: GivenSettings
  /** Where its jobs run; this process is there too. */
  readonly workingDirectory: string
  /** How to wait for others who have the ledger locked while no job runs. */
  readonly lockWait: LockWait
  /** A file to go on with in the place of what is stored. */
  readonly mended?: MendedSpec | undefined
}

/** What is to be known before the first job starts. */
export type RunNotice =
  | { readonly kind: 'leftovers ended'; readonly pids: readonly number[] }
  | { readonly kind: 'resuming'; readonly left: number; readonly total: number }
  | {
      readonly kind: 'mended'
      readonly mending: Mending
      readonly left: number
      readonly total: number
    }
  | {
      readonly kind: 'inputs changed'
      readonly paths: readonly string[]
      /** How many jobs run again for that. */
      readonly jobs: number
    }
  | { readonly kind: 'inputs absent'; readonly absent: readonly AbsentInput[] }
  | { readonly kind: 'output elsewhere'; readonly asked: string; readonly directory: string }

/** Who watches a run from before its first job on. */
export interface RunWatcher extends RunObserver {
  notice(notice: RunNotice): void
  /** From now on it can be watched and stopped. */
  begins(runner: WorkflowRunner, stored: StoredWorkflow): void
}

/** Jobs ask for more than may ever be used; nothing was started. */
export class UnfitJobs extends Error {
  readonly misfits: readonly Misfit[]

  constructor(misfits: readonly Misfit[]) {
    super(`${misfits.length} requests can never be met`)
    this.misfits = misfits
  }
}

/** Declared inputs are not there, and missing files are failures; nothing was started. */
export class AbsentInputs extends Error {
  readonly absent: readonly AbsentInput[]

  constructor(absent: readonly AbsentInput[]) {
    super(`${absent.length} declared inputs are missing`)
    this.absent = absent
  }
}

export interface WorkflowRun {
  readonly summary: RunSummary
  readonly stored: StoredWorkflow
}

/** Runs what is left of a workflow in the ledger. */
export async function runWorkflow(
  system: System,
  ledger: Ledger,
  request: WorkflowRunRequest,
  watcher: RunWatcher,
): Promise<WorkflowRun> {
  const { workflowId, workingDirectory, lockWait } = request
  const meter = new Meter(system)
  const allowed = runSettings(system, meter, request.settings, workingDirectory)
  const lease = WorkflowLease.take(system, ledger, workflowId)
  try {
    const cgroups = new JobCgroups(system)
    const executor = new LocalExecutor(
      { system, meter, cgroups },
      {
        us: lease.owner,
        onLeftoversKilled: (pids) => watcher.notice({ kind: 'leftovers ended', pids }),
      },
    )
    const { left: found, adopted } = findLeft(ledger, request, lease, executor, watcher)
    const asked = settingsFor(allowed, found.workflow)
    refuseUnfit(found, asked)
    meter.measureWith(await chosenGauges(system, metricsOf(found)))
    const outputDirectory = placeOutput(system, ledger, asked.outputDirectory, watcher)
    const settings = { ...asked, outputDirectory }
    const stored = prepare(system, ledger, found, settings, watcher)
    if (request.mended === undefined && stored.latestRunId !== null)
      watcher.notice({ kind: 'resuming', ...leftOf(stored) })
    ledger.expectManyWrites()
    const runner = new WorkflowRunner(
      {
        system,
        executor,
        adopted,
        scripts: new LocalScripts({ system, meter, cgroups, notes: lease.sign }),
        ledger,
        lockWait,
        owner: lease.owner,
        notes: lease.sign,
        machine: machineOf(system, meter),
        // Once: reading `process.env` asks the C library for each name.
        environment: givenEnvironment(),
        workingDirectory,
        shell: hasBash(system) ? '/bin/bash' : '/bin/sh',
      },
      stored,
      settings,
      watcher,
    )
    watcher.begins(runner, stored)
    return { summary: await runner.run(), stored }
  } finally {
    lease.giveBack()
  }
}

/** Read only now that nobody else may change it: another runner may have ended a moment ago. */
function findLeft(
  ledger: Ledger,
  { workflowId, mended }: WorkflowRunRequest,
  { owner: us, replaced }: WorkflowLease,
  executor: Executor,
  watcher: RunWatcher,
): { readonly left: StoredWorkflow; readonly adopted: readonly LeftAttempt[] } {
  const before = findStored(ledger, workflowId)
  const adopted =
    before.states.interrupted > 0 || replaced !== null
      ? seeToLeftovers(ledger, workflowId, { us, replaced }, (found) => executor.adopt(found))
      : []
  if (mended === undefined) return { left: before, adopted }
  const mending = mendStored(ledger, before, mended)
  const left = mending.states.filter((state) => state !== 'success').length
  watcher.notice({ kind: 'mended', mending, left, total: mending.states.length })
  return { left: findStored(ledger, workflowId), adopted }
}

function findStored(ledger: Ledger, workflowId: number): StoredWorkflow {
  const stored = ledger.workflows.findWorkflow(workflowId)
  if (stored === undefined) throw noWorkflow(workflowId)
  return stored
}

const leftOf = ({ jobs }: StoredWorkflow): { readonly left: number; readonly total: number } => ({
  left: jobs.filter(({ state }) => state !== 'success').length,
  total: jobs.length,
})

function refuseUnfit(stored: StoredWorkflow, { capacity }: RunSettings): void {
  const unfinished = stored.jobs.filter(({ state }) => state !== 'success')
  const misfits = misfitsOf(
    unfinished.map(({ job }) => job),
    capacity,
  )
  if (misfits.length > 0) throw new UnfitJobs(misfits)
}

const mostOutputs = 1000

/** Where logs and samples go: what was asked for, or `output.2` beside it where that is another ledger's. */
function placeOutput(system: System, ledger: Ledger, asked: string, watcher: RunWatcher): string {
  for (let number = 1; ; number += 1) {
    const directory = number === 1 ? asked : `${asked}.${number}`
    const trouble = new OutputDirectory(system.files, directory).make()
    if (trouble !== undefined)
      throw new UserError(
        `the output directory ${directory} cannot be written to (${trouble}). Name another with --output-dir`,
      )
    if (number > mostOutputs)
      throw new UserError(
        `${asked} and all the numbered directories beside it belong to other ledgers. Name another with --output-dir`,
      )
    if (!claimOutput(directory, ledger.path)) continue
    if (number > 1) watcher.notice({ kind: 'output elsewhere', asked, directory })
    return directory
  }
}

/** What can be wrong is found before anything starts; what is left to do is put in its place. */
function prepare(
  system: System,
  ledger: Ledger,
  stored: StoredWorkflow,
  settings: RunSettings,
  watcher: RunWatcher,
): StoredWorkflow {
  const left = markStale(system, ledger, stored, watcher)
  checkInputs(system, left, settings, watcher)
  return left
}

/** Before hours have gone by until a job finds out. */
function checkInputs(
  system: System,
  stored: StoredWorkflow,
  { strictFiles }: RunSettings,
  watcher: RunWatcher,
): void {
  const absent = new DeclaredFiles(system.files, stored.workflow).absentInputs(stored.jobs)
  if (absent.length === 0) return
  if (strictFiles || stored.workflow.strictFiles) throw new AbsentInputs(absent)
  watcher.notice({ kind: 'inputs absent', absent })
}

function markStale(
  system: System,
  ledger: Ledger,
  stored: StoredWorkflow,
  watcher: RunWatcher,
): StoredWorkflow {
  const inputs = ledger.workflows.inputs(stored.workflowId)
  const { stale, changed } = findStale(system.files, stored.jobs, inputs)
  if (stale.size === 0) return stored
  watcher.notice({ kind: 'inputs changed', paths: changed, jobs: stale.size })
  const jobs = stored.jobs.map((job, position) =>
    stale.has(position) ? { ...job, state: 'waiting' as const } : job,
  )
  ledger.workflows.setStates(
    [...stale].flatMap((position) => {
      const jobId = stored.jobs[position]?.jobId
      return jobId === undefined ? [] : [{ jobId, state: 'waiting' as const }]
    }),
  )
  return { ...stored, jobs }
}

/** Whoever wants memory to be a limit wants it looked at. */
function metricsOf({ workflow: { monitor } }: StoredWorkflow): readonly MetricName[] {
  const { metrics = [] } = monitor
  return metrics.length > 0 && monitor.enforce.includes('memory') ? [...metrics, 'memory'] : metrics
}

const hasBash = ({ files }: System): boolean => !files.isMissing('/bin/bash')
