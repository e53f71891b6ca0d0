import type { JobRecord } from '../../model/record.ts'
import type { RunCounts } from '../../model/run-counts.ts'
import type { Columns, DeviceRows } from '../../model/series.ts'
import type { StoredWorkflow } from '../../store/ledger/workflow-store.ts'
import { steadyTime } from '../../system/steady-time.ts'
import { ActionRunner } from './actions.ts'
import { adoptedAttempts } from './adopted.ts'
import { attemptOrder, someGetCgroups } from './attempt-order.ts'
import { viewOf, type Attempt } from './attempt.ts'
import { Beginning } from './beginning.ts'
import { DeclaredFiles } from './declared-files.ts'
import { Endings } from './endings.ts'
import type { RunningView, RunObserver, RunSummary } from './events.ts'
import type { AttemptOrder, AttemptResult, LiveFigures } from './executor.ts'
import { HandedOver, type Certainty, type Course } from './handed-over.ts'
import { RunOutput } from './run-output.ts'
import { RunTally } from './run-tally.ts'
import type { RunnerTools, RunSettings } from './runner-tools.ts'
import { Schedule } from './schedule.ts'
import { Stopping } from './stopping.ts'
import { Turns } from './turns.ts'

/** While jobs run nobody blocks the event loop to wait for a lock: the queue tries again. */
const lockWait = { milliseconds: 20 }
/**
 * Runs what is left of a workflow. A result is in the ledger before anything that depends on it starts; the write that
 * keeps it begins the next attempts too, so that each job costs one transaction.
 */
export class WorkflowRunner implements Course {
  readonly running = new Map<number, RunningView>()
  readonly #tools: RunnerTools
  readonly #stored: StoredWorkflow
  readonly #settings: RunSettings
  readonly #observer: RunObserver
  readonly #schedule: Schedule
  readonly #actions: ActionRunner
  readonly #runId: number
  readonly #startedAt: number
  readonly #time: () => number
  readonly #given: Pick<AttemptOrder, 'graceSeconds' | 'besideCgroups'>
  readonly #adopted: readonly Attempt[]
  readonly #handedOver: HandedOver
  readonly #turns: Turns
  readonly #tally: RunTally
  readonly #output: RunOutput
  readonly #declared: DeclaredFiles
  readonly #stopping = new Stopping()

  constructor(
    tools: RunnerTools,
    stored: StoredWorkflow,
    settings: RunSettings,
    observer: RunObserver,
  ) {
    const { system, executor, notes, ledger } = tools
    const { clock, files } = system
    const { capacity, outputDirectory } = settings
    const { workflow } = stored
    this.#tools = tools
    this.#stored = stored
    this.#settings = settings
    this.#observer = observer
    const { failFast, graceSeconds } = settings
    this.#given = { graceSeconds, besideCgroups: someGetCgroups(workflow) }
    this.#startedAt = clock.monotonicSeconds()
    this.#time = steadyTime(clock)
    this.#adopted = adoptedAttempts(
      { files, ledger, capacity, outputDirectory },
      stored,
      tools.adopted,
    )
    this.#schedule = new Schedule(
      workflow.jobs,
      workflow.sortMethod,
      capacity,
      (position) => stored.jobs[position]?.state === 'success',
      this.#adopted.map(({ start }) => start),
    )
    this.#tally = new RunTally(stored.jobs)
    this.#declared = new DeclaredFiles(files, workflow)
    this.#handedOver = new HandedOver({ executor, clock, time: this.#time, notes }, this)
    this.#runId = ledger.workflows.beginRun(stored.workflowId, {
      startedAt: this.#time(),
      outputDirectory,
      host: tools.machine.host,
      workingDirectory: tools.workingDirectory,
      ...(tools.executorName === undefined ? {} : { executor: tools.executorName }),
    })
    this.#output = new RunOutput(
      files,
      stored,
      {
        outputDirectory,
        ledger: ledger.path,
        host: tools.machine.host,
        workflowId: stored.workflowId,
        runId: this.#runId,
      },
      observer,
    )
    const actionSettings = { runId: this.#runId, outputDirectory, graceSeconds, hears: observer }
    this.#actions = new ActionRunner(tools, stored, actionSettings)
    const parts = {
      tools,
      stored,
      observer,
      schedule: this.#schedule,
      tally: this.#tally,
      output: this.#output,
      actions: this.#actions,
      stopping: this.#stopping,
    }
    const run = { runId: this.#runId, time: this.#time }
    this.#turns = new Turns({
      ...parts,
      handedOver: this.#handedOver,
      beginning: new Beginning(tools, stored, settings, run),
      endings: new Endings({ ...parts, failFast }),
    })
  }

  get counts(): RunCounts {
    return {
      done: this.#tally.succeeded,
      running: this.#schedule.running,
      failed: this.#tally.failures.length,
      blocked: this.#schedule.blocked,
      ready: this.#schedule.ready,
      total: this.#stored.jobs.length,
    }
  }

  /** Whether a job ended so because the run stops, whatever made it. */
  stopExplains({ status, taskId }: Pick<JobRecord, 'status' | 'taskId'>): boolean {
    if (status === 'cancelled' && this.#handedOver.wasWithdrawn(taskId)) return true
    return this.#stopping.explains(status)
  }

  async run(): Promise<RunSummary> {
    const { workflowId } = this.#stored
    try {
      this.#output.openSeries()
      for (const attempt of this.#adopted) this.#turns.goOnWith(attempt)
      await this.#actions.trigger('on_workflow_start')
      await this.#actions.trigger('on_worker_start')
      this.#tools.ledger.waitForLocks(lockWait)
      await this.#turns.play()
    } finally {
      this.#handedOver.close()
      this.#output.close()
      this.#tools.ledger.waitForLocks(this.#tools.lockWait)
    }
    const { running, ready, blocked } = this.#schedule
    await this.#actions.finish(running + ready + blocked === 0 && !this.#stopping.isReplaced)
    this.#tools.ledger.workflows.endRun(workflowId, this.#runId, this.#time())
    return this.#summary()
  }

  /**
   * Starts nothing more and has what runs end; a second time it is killed. Jobs lead process groups of their own:
   * the keys of a terminal do not reach them, so every signal is passed on.
   */
  stop(signal: NodeJS.Signals): void {
    this.#stopping.stopBy(signal)
    this.#handedOver.cancelAll(signal)
    this.#actions.stop(signal)
    this.#turns.hurry(this.#settings.graceSeconds)
  }

  orderOf(attempt: Attempt): AttemptOrder {
    return attemptOrder(this.#tools, this.#stored.workflow, attempt, this.#given)
  }

  waits(attempt: Attempt, why: string): void {
    this.#turns.waits(attempt, why)
  }

  started(attempt: Attempt, figures: LiveFigures): void {
    if (this.#tools.executorName !== undefined)
      this.#turns.begun(attempt, figures.startedAt ?? this.#time())
    this.#output.series?.begin(attempt)
    const { clock } = this.#tools.system
    const startedAt = clock.monotonicSeconds()
    const view = viewOf(attempt, figures, () => clock.monotonicSeconds() - startedAt)
    this.running.set(attempt.ref.attemptId, view)
    this.#observer.jobStarted(view)
  }

  sampled(attempt: Attempt, rows: Float64Array, count: number, columns: Columns): void {
    this.#output.series?.add(attempt, rows, count, columns)
  }

  devicesSampled(attempt: Attempt, devices: readonly DeviceRows[]): void {
    this.#output.series?.addDevices(attempt, devices)
  }

  over(attempt: Attempt, result: AttemptResult, certainty: Certainty): void {
    this.running.delete(attempt.ref.attemptId)
    this.#turns.ended({ attempt, result: this.#checked(attempt, result), certainty })
  }

  late(attempt: Attempt, result: AttemptResult): void {
    const checked = this.#checked(attempt, result)
    this.#turns.endedLate({ attempt, result: checked, certainty: 'told' })
  }

  note(message: string): void {
    this.#observer.note(message)
  }

  trouble(message: string): void {
    this.#observer.trouble(message)
  }

  #checked({ stored }: Attempt, result: AttemptResult): AttemptResult {
    return this.#declared.checked(stored.job, result, this.#settings.strictFiles)
  }

  #summary(): RunSummary {
    return {
      workflowId: this.#stored.workflowId,
      runId: this.#runId,
      outputDirectory: this.#settings.outputDirectory,
      durationSeconds: this.#tools.system.clock.monotonicSeconds() - this.#startedAt,
      states: this.#tally.states(),
      failures: this.#tally.failures,
      warnings: this.#tally.warnings,
      usedCoreSeconds: this.#tally.usedCoreSeconds,
      usedIsLowerBound: this.#tally.usedIsLowerBound,
      requestedCoreSeconds: this.#tally.requestedCoreSeconds,
      stopped: this.#stopping.because,
      stoppedBy: this.#stopping.signal,
    }
  }
}
