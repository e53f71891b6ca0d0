import { roundKeeping } from '../../model/fixed-keeping.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { absentInputsText } from '../../render/workflow/absent-inputs.ts'
import { companionFor } from '../../service/team/send-along.ts'
import {
  hiddenContainersText,
  noticeText,
  unfitJobsText,
} from '../../render/workflow/notice-text.ts'
import { resumeCommand } from '../../render/workflow/resume-command.ts'
import { runEndText } from '../../render/workflow/run-end-text.ts'
import { chosenExecutor } from '../../service/executors/choose.ts'
import type { ExecutorName } from '../../service/executors/executor-names.ts'
import { hiddenContainers } from '../../service/hidden-containers.ts'
import type { MendedSpec } from '../../service/mended-spec.ts'
import { AbsentInputs, UnfitJobs } from '../../service/refuse-run.ts'
import { runWorkflow, type WorkflowRun } from '../../service/run-workflow.ts'
import { wasSent } from '../../service/spec-file.ts'
import { UserError } from '../../service/user-error.ts'
import { StoreError } from '../../store/errors.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import { readerOf } from '../../store/ledger/ledger-reader.ts'
import type { StoredWorkflow } from '../../store/ledger/workflow-store.ts'
import { givenDirectory } from '../../system/given.ts'
import { signalNumber } from '../../system/signals.ts'
import type { System } from '../../system/system.ts'
import type { RunSummary } from '../../workflow/run/events.ts'
import { patience } from '../ledger/ledger.ts'
import type { RunAlerts } from '../../service/alerts/run-alerts.ts'
import type { Console } from '../terminal/console.ts'
import { Progress } from '../terminal/progress.ts'
import { alertsFor } from './alerts-for.ts'
import { refuseUnusedSlurm, settingsAsked } from './run-settings.ts'

type Options = Parameters<typeof settingsAsked>[0] & {
  readonly quiet: boolean
  readonly executor: ExecutorName | undefined
  readonly alerts: string | undefined
  readonly 'forget-settings': boolean
  readonly format: 'table' | 'json'
}

export interface WhatToRun {
  readonly workflowId: number
  readonly mended?: MendedSpec
  /** Whether its jobs are to be watched, where somebody said. */
  readonly monitored?: boolean | undefined
}

/** Runs what is left of a workflow in the ledger and reports; the answer is the exit code. */
export async function runStoredWorkflow(
  system: System,
  ledger: Ledger,
  whatToRun: WhatToRun,
  options: Options,
  console: Console,
): Promise<number> {
  const { workflowId } = whatToRun
  try {
    refuseUnusedSlurm(chosenExecutor(ledger, workflowId, options.executor), options)
    const { summary, stored } = await runInItsFolder(system, ledger, whatToRun, options, console)
    report(system, summary, stored, options, console)
    if (!options.quiet) await hintAtContainers(system, stored, console)
    if (stored.workflow.monitor.generatePlots)
      await drawPages(system, ledger, summary, options, console)
    return exitCode(summary)
  } finally {
    try {
      rescueRemoved(ledger, console)
    } finally {
      ledger.close()
    }
  }
}

async function runInItsFolder(
  system: System,
  ledger: Ledger,
  { workflowId, mended, monitored }: WhatToRun,
  options: Options,
  console: Console,
): Promise<WorkflowRun> {
  // Paths in it are made whole by its name, and would lead elsewhere.
  if (givenDirectory(process.cwd()) === '.')
    throw new UserError(
      'the name of the working directory is not UTF-8; cd to a directory whose name is',
    )
  const tell = options.quiet ? () => {} : (text: string) => console.complain(text)
  const workingDirectory = folderOf(system, ledger, workflowId, tell)
  const settings = { ...settingsAsked(options), monitored }
  const forgetsSettings = options['forget-settings']
  process.chdir(workingDirectory)
  const progress = new Progress(system, console, options.quiet, (notice) =>
    tell(noticeText(notice)),
  )
  const alerts = await workflowAlerts(
    system,
    ledger,
    { workflowId, alertFile: settings.alertFile, forgetsSettings },
    console,
    progress,
  )
  const throughQueue = chosenExecutor(ledger, workflowId, options.executor) === 'queue'
  const team = throughQueue ? process.env['JOBMETER_TEAM'] : undefined
  const companion = await companionFor(system, ledger.path, { team })
  // The account of a job that is kept without libc would count every other child in.
  if (system.processes.launcher === 'posix_spawn') companion?.sendWhileJobsRun()
  try {
    const lockWait = patience(options)
    const heard = alerts?.ofWorkflow
    const { executor } = options
    const request = {
      workflowId,
      settings,
      forgetsSettings,
      workingDirectory,
      lockWait,
      mended,
      executor,
      alerts: heard,
    }
    return await runWorkflow(system, ledger, request, progress)
  } catch (error) {
    throw inWords(error, workflowId, ledger)
  } finally {
    try {
      progress.end()
    } finally {
      alerts?.end()
      // The first one may be gone; where it is not, this one ends at once.
      companion?.sendWhileJobsRun()
    }
  }
}

/** Made where alerts are set up; what they say goes above what is drawn of the run. */
async function workflowAlerts(
  system: System,
  { path, workflows }: Ledger,
  {
    workflowId,
    alertFile,
    forgetsSettings,
  }: {
    readonly workflowId: number
    readonly alertFile: string | undefined
    readonly forgetsSettings: boolean
  },
  console: Console,
  progress: Progress,
): Promise<RunAlerts | undefined> {
  const kept = forgetsSettings ? undefined : workflows.settingsOf(workflowId).alertFile
  const tell = (line: string): void => progress.say(line)
  // Nobody has named the kept one now: that it is gone is no reason to run nothing.
  return alertsFor(system, path, alertFile ?? kept, console, tell, alertFile !== undefined)
}

function inWords(error: unknown, workflowId: number, { workflows }: Ledger): unknown {
  if (error instanceof UnfitJobs) {
    const specPath = fileToMend(workflows.specOf(workflowId)?.specPath ?? '')
    return new UserError(unfitJobsText(error.misfits, resumeCommand(specPath, workflowId)))
  }
  if (error instanceof AbsentInputs)
    return new UserError(
      `${absentInputsText(error.absent)}\nProvide what is missing, then run: jobmeter run --resume ${workflowId}`,
    )
  if (error instanceof StoreError && error.code === 'full')
    return new UserError(
      `${error.message}\nJobs that still ran were ended, and what had not been written by then runs again: jobmeter run --resume ${workflowId}`,
      'machine',
    )
  return error
}

/** Of one that was sent, whoever fixes it knows where it is. */
const fileToMend = (specPath: string): string => (wasSent(specPath) ? 'FILE' : specPath)

async function hintAtContainers(
  system: System,
  stored: StoredWorkflow,
  console: Console,
): Promise<void> {
  const hidden = await hiddenContainers(system, stored)
  if (hidden.length > 0) console.complain(hiddenContainersText(hidden))
}

/** The results of hours are in a file that nobody will find. */
function rescueRemoved(ledger: Ledger, console: Console): void {
  if (ledger.isInPlace()) return
  const what = `the ledger ${ledger.path} was removed while the workflow ran`
  try {
    console.complain(`${what}; everything that it held is in ${ledger.rescue()}`)
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
    const pages = await writePlotsAndPage(system, readerOf(ledger), summary)
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
    tell(`${before}, where its jobs ran before, no longer exists; they run in ${here}`)
    return here
  }
  tell(`its jobs run in ${before}, as before`)
  return before
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
          duration_seconds: roundKeeping(durationSeconds, 6),
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
  if (options.quiet) {
    // Whoever sent a signal knows.
    if (summary.stopped !== null && summary.stoppedBy === null) console.complain(summary.stopped)
    return
  }
  const failures = summary.failures.slice(0, 5).map((failure) => {
    const lastLines = lastLinesOf(system, failure.stderrPath)
    const stderrPath = lastLines === undefined ? null : failure.stderrPath
    return { ...failure, stderrPath, lastLines: lastLines ?? [] }
  })
  console.note(
    runEndText(
      {
        ...summary,
        specPath: fileToMend(stored.specPath),
        failures,
        failureCount: summary.failures.length,
      },
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
