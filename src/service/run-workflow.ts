import { JobCgroups } from '../launch/job-cgroups.ts'
import { chosenGauges } from '../meter/gauges/chosen.ts'
import { Meter } from '../meter/meter.ts'
import { saysNothing, type KeptSettings } from '../model/kept-settings.ts'
import type { JobsLeft, RunNotice } from '../model/run-notice.ts'
import type { Ledger } from '../store/ledger/ledger.ts'
import type { LockWait } from '../store/sqlite/lock-wait.ts'
import type { StoredWorkflow } from '../store/ledger/workflow-store.ts'
import { givenEnvironment } from '../system/given.ts'
import type { System } from '../system/system.ts'
import { LocalExecutor } from '../workflow/executors/local-executor.ts'
import { LocalScripts } from '../workflow/executors/local-scripts.ts'
import type { RunObserver, RunSummary } from '../workflow/run/events.ts'
import type { Executor, LeftAttempt } from '../workflow/run/executor.ts'
import { WorkflowRunner } from '../workflow/run/runner.ts'
import { machineOf } from './capacity.ts'
import type { WorkflowAlerts } from './alerts/workflow-alerts.ts'
import { refuseUnended, seeToContainers, type Unended } from './left-containers.ts'
import { seeToLeftovers } from './leftovers.ts'
import { chosenExecutor, leftBy, openPlace } from './executors/choose.ts'
import type { ExecutorName } from './executors/executor-names.ts'
import type { RunPlace } from './executors/run-place.ts'
import { markStale } from './mark-stale.ts'
import { mendStored, type MendedSpec } from './mended-spec.ts'
import { placeOutput } from './place-output.ts'
import { checkInputs, refuseUnfit } from './refuse-run.ts'
import { runSettings, settingsFor } from './run-settings.ts'
import { settingsInForce, type SettingsAsked } from './settings-in-force.ts'
import { withoutCredentials } from './team/without-credentials.ts'
import { noWorkflow, WorkflowLease } from './workflow-lease.ts'
import { metricsOf } from './workflow-metrics.ts'

export interface WorkflowRunRequest extends SettingsAsked {
  /** Where its jobs run; this process is there too. */
  readonly workingDirectory: string
  /** How to wait for others who have the ledger locked while no job runs. */
  readonly lockWait: LockWait
  /** A file to go on with in the place of what is stored. */
  readonly mended?: MendedSpec | undefined
  /** Where its attempts run; without it: where those of its last run did. */
  readonly executor?: ExecutorName | undefined
  /** Who is told while jobs run and when they end. */
  readonly alerts?: WorkflowAlerts | undefined
}

/** Who watches a run from before its first job on. */
export interface RunWatcher extends RunObserver {
  notice(notice: RunNotice): void
  /** From now on it can be watched and stopped. */
  begins(runner: WorkflowRunner, stored: StoredWorkflow): void
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
  const tell = (notice: RunNotice): void => watcher.notice(notice)
  const meter = new Meter(system)
  const name = chosenExecutor(ledger, workflowId, request.executor)
  const { inForce, keptStill, toKeep } = settingsInForce(ledger, request, name)
  // Before it can be found that something of it is wrong by now.
  if (!saysNothing(keptStill)) tell({ kind: 'settings kept', kept: keptStill })
  const allowed = runSettings(system, meter, inForce, workingDirectory, keptStill)
  const lease = WorkflowLease.take(system, ledger, workflowId)
  /** Opened, and not the runner's yet, which closes it. */
  let unused: Executor | undefined
  try {
    keepSettings(ledger, workflowId, toKeep)
    const cgroups = new JobCgroups(system)
    const local = new LocalExecutor(
      { system, meter, cgroups },
      {
        us: lease.owner,
        marksDirectory: lease.sign.directory,
        onLeftoversKilled: (pids) => tell({ kind: 'leftovers ended', pids }),
      },
    )
    const machine = machineOf(system, meter)
    const here: RunPlace = { name, executor: local, notes: lease.sign, ...nothingMore }
    const place: RunPlace =
      name === 'local'
        ? here
        : await openPlace(name, {
            system,
            ledger,
            settings: { ...request.settings, ...inForce },
            workingDirectory,
            trouble: (text) => watcher.trouble(text),
          })
    unused = place.executor
    const executor = request.alerts?.hear(place.executor, machine) ?? place.executor
    const {
      left: found,
      adopted,
      unended,
    } = await findLeft(
      { system, ledger, executor, local, place },
      { ...request, outputDirectory: allowed.outputDirectory },
      lease,
      tell,
    )
    const asked = settingsFor(
      { ...allowed, capacity: place.capacity ?? allowed.capacity },
      found.workflow,
      inForce,
    )
    refuseUnfit(found, asked)
    meter.measureWith(await chosenGauges(system, metricsOf(found.workflow)))
    const outputDirectory = placeOutput(system, ledger, asked.outputDirectory, tell)
    const settings = { ...asked, outputDirectory }
    place.use(found, outputDirectory)
    const stored = markStale(system, ledger, found, tell)
    // Only now it is known which jobs run again.
    refuseUnended(stored, unended)
    checkInputs(system, stored, settings, tell)
    if (request.mended === undefined && stored.latestRunId !== null)
      tell({ kind: 'resuming', ...leftOf(stored) })
    ledger.expectManyWrites()
    system.expectManyJobs()
    const runner = new WorkflowRunner(
      {
        system,
        executor,
        adopted,
        ...(place.scheduleNodes === undefined ? {} : { scheduleNodes: place.scheduleNodes }),
        scripts: new LocalScripts({ system, meter, cgroups, notes: lease.sign }),
        ledger,
        lockWait,
        owner: lease.owner,
        notes: place.notes,
        ...(place.name === 'local' ? {} : { executorName: place.name }),
        machine,
        // Once: reading `process.env` asks the C library for each name.
        environment:
          place.name === 'local' ? givenEnvironment() : withoutCredentials(givenEnvironment()),
        workingDirectory,
        shell: hasBash(system) ? '/bin/bash' : '/bin/sh',
      },
      stored,
      settings,
      request.alerts?.observe(watcher) ?? watcher,
    )
    unused = undefined
    watcher.begins(runner, stored)
    const summary = await runner.run()
    place.tidy()
    return { summary, stored }
  } finally {
    unused?.close()
    lease.giveBack()
  }
}

/** Before anything is refused, so that it is resumed in the same way. */
function keepSettings({ workflows }: Ledger, workflowId: number, settings: KeptSettings): void {
  if (JSON.stringify(settings) !== JSON.stringify(workflows.settingsOf(workflowId)))
    workflows.keepSettings(workflowId, settings)
}

const nothingMore = { capacity: null, holds: () => false, use: () => {}, tidy: () => {} }

interface Found {
  readonly system: System
  readonly ledger: Ledger
  readonly executor: Executor
  /** Scripts run on this machine, wherever attempts do. */
  readonly local: Executor
  readonly place: RunPlace
}

/** Read only now that nobody else may change it: another runner may have ended a moment ago. */
async function findLeft(
  { system, ledger, executor, local, place }: Found,
  {
    workflowId,
    mended,
    outputDirectory,
  }: WorkflowRunRequest & { readonly outputDirectory: string },
  { owner: us, replaced }: WorkflowLease,
  tell: (notice: RunNotice) => void,
): Promise<{
  readonly left: StoredWorkflow
  readonly adopted: readonly LeftAttempt[]
  readonly unended: readonly Unended[]
}> {
  const before = findStored(ledger, workflowId)
  place.use(before, outputDirectory)
  const adopted =
    before.states.interrupted > 0 || replaced !== null
      ? seeToLeftovers(ledger, workflowId, { us, replaced }, (found) => {
          const { here, there } = leftBy(found, before, place)
          return [...local.adopt(here), ...(there.length === 0 ? [] : executor.adopt(there))]
        })
      : []
  // After the clients, which could start them.
  const { unended } = hasRun(before)
    ? await seeToContainers(system, ledger, before, us, tell)
    : { unended: [] }
  if (mended === undefined) return { left: before, adopted, unended }
  const mending = mendStored(ledger, before, mended)
  const left = mending.states.filter((state) => state !== 'success').length
  tell({ kind: 'mended', mending, left, total: mending.states.length })
  return { left: findStored(ledger, workflowId), adopted, unended }
}

const hasRun = ({ jobs }: StoredWorkflow): boolean => jobs.some(({ attempts }) => attempts > 0)

function findStored(ledger: Ledger, workflowId: number): StoredWorkflow {
  const stored = ledger.workflows.findWorkflow(workflowId)
  if (stored === undefined) throw noWorkflow(workflowId)
  return stored
}

const leftOf = ({ jobs }: StoredWorkflow): JobsLeft => ({
  left: jobs.filter(({ state }) => state !== 'success').length,
  total: jobs.length,
})

const hasBash = ({ files }: System): boolean => !files.isMissing('/bin/bash')
