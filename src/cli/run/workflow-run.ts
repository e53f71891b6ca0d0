import { JobCgroups } from '../../launch/job-cgroup.ts'
import { Meter } from '../../meter/meter.ts'
import type { Misfit } from '../../model/plan.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { misfitLines } from '../../render/workflow/misfit-text.ts'
import type { Ledger } from '../../store/ledger.ts'
import type { StoredWorkflow } from '../../store/workflow-store.ts'
import { givenDirectory, givenEnvironment } from '../../system/given.ts'
import { signalNumber } from '../../system/signals.ts'
import type { System } from '../../system/system.ts'
import { LocalExecutor } from '../../workflow/executors/local-executor.ts'
import { LocalScripts } from '../../workflow/executors/local-scripts.ts'
import { misfitsOf } from '../../workflow/run/capacity.ts'
import type { RunSummary } from '../../workflow/run/events.ts'
import { OutputDirectory } from '../../workflow/run/output-directory.ts'
import { WorkflowRunner } from '../../workflow/run/runner.ts'
import type { RunSettings } from '../../workflow/run/runner-tools.ts'
import { DeclaredFiles } from '../../workflow/run/declared-files.ts'
import { findStale } from '../../workflow/run/stale-inputs.ts'
import type { Console } from '../terminal/console.ts'
import { patience } from '../ledger/ledger.ts'
import { Progress } from '../terminal/progress.ts'
import { absentInputsText } from '../../render/workflow/absent-inputs.ts'
import { mendingText } from '../../render/workflow/mending-text.ts'
import { runEndText } from '../../render/workflow/run-end-text.ts'
import { machineOf, runSettings, settingsFor } from './run-settings.ts'
import { leftoversText, seeToLeftovers } from './leftovers.ts'
import { mendStored, type MendedSpec } from './mended-spec.ts'
import { UserError } from '../terminal/user-error.ts'
import { noWorkflow, WorkflowLease } from './workflow-lease.ts'

type Options = Parameters<typeof runSettings>[2] & {
  readonly quiet: boolean
  readonly format: 'table' | 'json'
}

const stoppingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs what is left of a workflow in the ledger and reports; the answer is the exit code. */
export async function runStoredWorkflow(
  system: System,
  ledger: Ledger,
  workflowId: number,
  options: Options,
  console: Console,
  mended?: MendedSpec,
): Promise<number> {
  // Paths in it are made whole by its name, and would lead elsewhere.
  if (givenDirectory(process.cwd()) === '.')
    throw new UserError('the name of the working directory is not UTF-8; cd to one whose name is')
  const tell = options.quiet ? () => {} : (text: string) => console.complain(text)
  const workingDirectory = folderOf(system, ledger, workflowId, tell)
  const meter = new Meter(system)
  const allowed = runSettings(system, meter, options, workingDirectory)
  process.chdir(workingDirectory)
  const lease = WorkflowLease.take(system, ledger, workflowId)
  const progress = new Progress(system, console, options.quiet)
  try {
    // Read only now that nobody else may change it: another runner may have ended a moment ago.
    const before = findStored(ledger, workflowId)
    const cgroups = new JobCgroups(system)
    const executor = new LocalExecutor(
      { system, meter, cgroups },
      { us: lease.owner, onLeftoversKilled: (pids) => tell(leftoversText(pids)) },
    )
    const { owner: us, replaced } = lease
    const adopted =
      before.states.interrupted > 0 || replaced !== null
        ? seeToLeftovers(ledger, workflowId, { us, replaced }, (found) => executor.adopt(found))
        : []
    if (mended !== undefined) tell(mendStored(ledger, before, mended))
    const left = mended === undefined ? before : findStored(ledger, workflowId)
    const settings = settingsFor(allowed, left.workflow)
    const stored = prepare(system, ledger, left, settings, tell)
    if (mended === undefined && before.latestRunId !== null) tell(resumingText(stored))
    ledger.expectManyWrites()
    const runner = new WorkflowRunner(
      {
        system,
        executor,
        adopted,
        scripts: new LocalScripts({ system, meter, cgroups, notes: lease.sign }),
        ledger,
        lockWait: patience(options),
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
      progress,
    )
    for (const signal of stoppingSignals)
      system.processes.onSignal(signal, () => runner.stop(signal))
    progress.begin(runner, stored)
    const summary = await runner.run()
    progress.end()
    report(system, summary, stored, options, console)
    if (stored.workflow.monitor.generatePlots)
      await drawPages(system, ledger, summary, options, console)
    return exitCode(summary)
  } finally {
    progress.end()
    lease.giveBack()
    try {
      rescueRemoved(ledger, console)
    } finally {
      ledger.close()
    }
  }
}

/** The results of hours are in a file that nobody will find. */
function rescueRemoved(ledger: Ledger, console: Console): void {
  if (ledger.isInPlace()) return
  const what = `the ledger ${ledger.path} was removed while the workflow ran`
  try {
    console.complain(`${what}; all that it held is in ${ledger.rescue()}`)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UserError(`${what}, and its results are lost: ${why}`)
  }
}

/** The drawing is loaded only where it was asked for; trouble with it does not change how the run ended. */
async function drawPages(
  system: System,
  ledger: Ledger,
  summary: RunSummary,
  { quiet }: Options,
  console: Console,
): Promise<void> {
  const { writePlotsAndPage } = await import('../reports/write-plots.ts')
  try {
    const pages = writePlotsAndPage(system, ledger, summary)
    if (pages !== undefined && !quiet) console.note(`Page        ${pages.reportPath}\n`)
  } catch (error) {
    console.complain(`no plots: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Where its last run ran, wherever we are called from: its files are there, and its paths lead from there. */
function folderOf(
  system: System,
  ledger: Ledger,
  workflowId: number,
  tell: (text: string) => void,
): string {
  const here = process.cwd()
  const before = ledger.workflows.runs(workflowId).at(-1)?.workingDirectory ?? here
  if (before === here) return here
  if (system.files.isMissing(before)) {
    tell(`${before}, where its jobs ran before, is not there; they run in ${here}`)
    return here
  }
  tell(`its jobs run in ${before}, as before`)
  return before
}

function resumingText({ jobs }: StoredWorkflow): string {
  const left = jobs.filter(({ state }) => state !== 'success').length
  const none = { changed: [], added: [], following: [], removed: [] }
  return mendingText({ left, total: jobs.length, ...none })
}

function findStored(ledger: Ledger, workflowId: number): StoredWorkflow {
  const stored = ledger.workflows.findWorkflow(workflowId)
  if (stored === undefined) throw noWorkflow(workflowId)
  return stored
}

/** What can be wrong is found before anything starts; what is left to do is put in its place. */
function prepare(
  system: System,
  ledger: Ledger,
  stored: StoredWorkflow,
  settings: RunSettings,
  tell: (text: string) => void,
): StoredWorkflow {
  const unfinished = stored.jobs.filter(({ state }) => state !== 'success')
  const misfits = misfitsOf(
    unfinished.map(({ job }) => job),
    settings.capacity,
  )
  if (misfits.length > 0) throw tooLarge(misfits, stored.workflowId)
  const { outputDirectory } = settings
  const trouble = new OutputDirectory(system.files, outputDirectory).make()
  if (trouble !== undefined)
    throw new UserError(
      `the output directory ${outputDirectory} cannot be written to (${trouble}). Name another with --output-dir`,
    )
  const left = markStale(system, ledger, stored, tell)
  tellAbsentInputs(system, left, settings, tell)
  return left
}

/** Before hours have gone by until a job finds out. */
function tellAbsentInputs(
  system: System,
  stored: StoredWorkflow,
  { strictFiles }: RunSettings,
  tell: (text: string) => void,
): void {
  const absent = new DeclaredFiles(system.files, stored.workflow).absentInputs(stored.jobs)
  if (absent.length === 0) return
  const text = absentInputsText(absent)
  if (strictFiles || stored.workflow.strictFiles)
    throw new UserError(`${text}\nPut it there, then: jobmeter run --resume ${stored.workflowId}`)
  tell(text)
}

function tooLarge(misfits: readonly Misfit[], workflowId: number): UserError {
  const jobs = new Set(misfits.map(({ job }) => job)).size
  const lines = [
    `${jobs === 1 ? 'a job' : `${jobs} jobs`} can never start here, and nothing was started:`,
    ...misfitLines(misfits),
    `Ask for less and jobmeter run FILE --resume ${workflowId}, or say with --cpus, --memory or --gpus what may be used`,
  ]
  return new UserError(lines.join('\n'))
}

function markStale(
  system: System,
  ledger: Ledger,
  stored: StoredWorkflow,
  tell: (text: string) => void,
): StoredWorkflow {
  const inputs = ledger.workflows.inputs(stored.workflowId)
  const { stale, changed } = findStale(system.files, stored.jobs, inputs)
  if (stale.size === 0) return stored
  tell(`${changed.join(', ')} changed since the last run; ${stale.size} jobs run again`)
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

function report(
  system: System,
  summary: RunSummary,
  stored: StoredWorkflow,
  options: Options,
  console: Console,
): void {
  if (options.format === 'json') {
    const { workflowId, runId, states, stopped, durationSeconds, warnings } = summary
    console.print(
      `${jsonText(
        {
          workflow_id: workflowId,
          run_id: runId,
          status_counts: states,
          duration_seconds: Number(durationSeconds.toFixed(6)),
          stopped,
          warnings: warnings.map(({ name, jobId, text }) => ({
            job_id: jobId,
            job_name: name,
            text,
          })),
        },
        2,
      )}\n`,
    )
    return
  }
  if (options.quiet) return
  const failures = summary.failures.slice(0, 5).map((failure) => {
    const lastLines = lastLinesOf(system, failure.stderrPath)
    const stderrPath = lastLines === undefined ? null : failure.stderrPath
    return { ...failure, stderrPath, lastLines: lastLines ?? [] }
  })
  console.note(
    runEndText(
      { ...summary, failures, failureCount: summary.failures.length },
      stored.name,
      console.style(2),
    ),
  )
}

const tailBytes = 4096

/** From the end only: a job may have written gigabytes. Undefined where it wrote nothing. */
function lastLinesOf(system: System, path: string): readonly string[] | undefined {
  const { files } = system
  const descriptor = files.openLog(path)
  if (descriptor < 0) return undefined
  const size = files.fingerprint(path)
  const start = size.kind === 'ok' ? Math.max(0, size.value.sizeBytes - tailBytes) : 0
  const bytes = new Uint8Array(tailBytes)
  const length = Math.max(0, files.readFrom(descriptor, start, bytes))
  files.close(descriptor)
  const text = new TextDecoder().decode(bytes.subarray(0, length))
  return text.trimEnd().split('\n').slice(-3).filter(Boolean)
}

function exitCode(summary: RunSummary): number {
  if (summary.stoppedBy !== null) return 128 + signalNumber(summary.stoppedBy)
  return Object.entries(summary.states).every(
    ([state, count]) => state === 'success' || count === 0,
  )
    ? 0
    : 1
}

const hasBash = ({ files }: System): boolean => !files.isMissing('/bin/bash')
