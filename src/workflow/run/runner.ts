import type { JobCgroups } from '../../launch/job-cgroup.ts'
import { launch } from '../../launch/launch.ts'
import type { LaunchResult } from '../../launch/request.ts'
import type { RunningJob } from '../../launch/running-job.ts'
import type { Meter } from '../../meter/meter.ts'
import type { Machine, Owner } from '../../model/machine.ts'
import type { JobRecord } from '../../model/record.ts'
import { stdioPath } from '../../model/stdio-path.ts'
import type { FailureRule, WorkflowJob } from '../../model/workflow.ts'
import type { Ledger } from '../../store/ledger.ts'
import { openSeriesFile, seriesPath, type SeriesFile } from '../../store/sqlite/series-file.ts'
import type { AttemptRef, AttemptStart } from '../../store/store.ts'
import type { FileMark, JobState, StoredJob, StoredWorkflow } from '../../store/workflow-store.ts'
import type { System } from '../../system/system.ts'
import { ActionRunner } from './actions.ts'
import type { Capacity } from './capacity.ts'
import type { JobFailure, RunCounts, RunningView, RunObserver, RunSummary } from './events.ts'
import { jobEnvironment, type JobIdentity } from './job-environment.ts'
import { describeJob } from './job-description.ts'
import { Retries } from './retries.ts'
import { Schedule, type Start } from './schedule.ts'
import { commandWords } from './shell-command.ts'
import { markInputs } from './stale-inputs.ts'

/** What a runner works with. */
export interface RunnerTools {
  readonly system: System
  readonly meter: Meter
  readonly cgroups: JobCgroups
  readonly ledger: Ledger
  readonly owner: Owner
  readonly machine: Machine
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workingDirectory: string
  readonly shell: string
}

export interface RunSettings {
  readonly capacity: Capacity
  readonly outputDirectory: string
  readonly failFast: boolean
  readonly graceSeconds: number
}

/** Jobs that ask for this long get a cgroup of their own, for pressure and the kernel's own account. */
const longJobSeconds = 30

/** One attempt under way. */
interface Attempt {
  readonly stored: StoredJob
  readonly start: Start
  readonly identity: JobIdentity
  readonly ref: AttemptRef
  readonly record: AttemptStart
  readonly retries: Retries
  /** Before it started: what changes while it runs may or may not have been read. */
  readonly inputs: readonly FileMark[]
}

interface Ending {
  readonly attempt: Attempt
  readonly result: LaunchResult
}

/**
 * Runs what is left of a workflow. A result is in the ledger before anything that depends on it starts; the write that
 * keeps it begins the next attempts too, so that each job costs one transaction.
 */
export class WorkflowRunner {
  readonly running = new Map<number, RunningView>()
  readonly #tools: RunnerTools
  readonly #stored: StoredWorkflow
  readonly #settings: RunSettings
  readonly #observer: RunObserver
  readonly #schedule: Schedule
  readonly #actions: ActionRunner
  readonly #runId: number
  readonly #startedAt: number
  readonly #attemptsMade: number[]
  readonly #live = new Map<number, RunningJob>()
  readonly #failures: JobFailure[] = []
  readonly #states = new Map<number, JobState>()
  readonly #endings: Ending[] = []
  #series: SeriesFile | undefined
  #usedCoreSeconds = 0
  #requestedCoreSeconds: number | null = 0
  #finished = 0
  #failed = 0
  /** Attempts that have started, and recoveries, that have not come to their end. */
  #underWay = 0
  #stopped: string | null = null
  #trouble: Error | null = null
  #fail: (error: unknown) => void = () => {}
  #over: () => void = () => {}

  constructor(
    tools: RunnerTools,
    stored: StoredWorkflow,
    settings: RunSettings,
    observer: RunObserver,
  ) {
    this.#tools = tools
    this.#stored = stored
    this.#settings = settings
    this.#observer = observer
    this.#startedAt = tools.system.clock.monotonicSeconds()
    this.#attemptsMade = stored.jobs.map(({ attempts }) => attempts)
    const { workflow } = stored
    this.#schedule = new Schedule(
      workflow.jobs,
      workflow.sortMethod,
      settings.capacity,
      (position) => stored.jobs[position]?.state === 'success',
    )
    this.#finished = stored.jobs.filter(({ state }) => state === 'success').length
    this.#runId = tools.ledger.workflows.beginRun(stored.workflowId, {
      startedAt: tools.system.clock.wallSeconds(),
      outputDirectory: settings.outputDirectory,
      host: tools.machine.host,
    })
    this.#actions = new ActionRunner(tools, stored, {
      runId: this.#runId,
      outputDirectory: settings.outputDirectory,
      note: (message) => observer.note(message),
    })
  }

  get counts(): RunCounts {
    return {
      done: this.#finished,
      running: this.#schedule.running,
      failed: this.#failed,
      blocked: this.#schedule.blocked,
      ready: this.#schedule.ready,
      total: this.#stored.jobs.length,
    }
  }

  async run(): Promise<RunSummary> {
    const { workflow, workflowId } = this.#stored
    if (workflow.monitor.enabled && workflow.monitor.granularity === 'time_series')
      this.#series = openSeriesFile(this.#seriesPath())
    await this.#actions.trigger('on_workflow_start')
    await this.#actions.trigger('on_worker_start')
    try {
      await new Promise<void>((resolve, reject) => {
        this.#over = resolve
        this.#fail = reject
        this.#guard(() => this.#startWhatFits(() => {}))
      })
    } finally {
      this.#series?.close()
    }
    await this.#actions.finish(
      this.#schedule.running + this.#schedule.ready + this.#schedule.blocked === 0,
    )
    this.#tools.ledger.workflows.endRun(
      workflowId,
      this.#runId,
      this.#tools.system.clock.wallSeconds(),
    )
    return this.#summary()
  }

  /**
   * Starts nothing more and has what runs end; a second time it is killed. Jobs lead process groups of their own:
   * the keys of a terminal do not reach them, so every signal is passed on.
   */
  stop(signal: NodeJS.Signals): void {
    this.#stopped ??= `stopped by ${signal}`
    for (const job of this.#live.values()) job.signal(signal, false)
    this.#actions.stop(signal)
    this.#endIfIdle()
  }

  #endIfIdle(): void {
    if (this.#underWay > 0) return
    if (this.#trouble === null) this.#over()
    else this.#fail(this.#trouble)
  }

  /** Does work in the ledger and, in the same transaction, begins what may start after it; then starts that. */
  #startWhatFits(work: () => void, afterwards: () => void = () => {}): void {
    const begun: Attempt[] = []
    this.#tools.ledger.batch(() => {
      work()
      if (this.#stopped !== null) return
      for (let next = this.#schedule.next(); next !== undefined; next = this.#schedule.next()) {
        const stored = this.#stored.jobs[next.position]
        if (stored !== undefined) begun.push(this.#beginAttempt(stored, next, new Retries()))
      }
    })
    this.#actions.becameReady(this.#schedule.takeNewlyReady())
    for (const attempt of begun) this.#launch(attempt)
    afterwards()
    this.#endIfIdle()
  }

  #beginAttempt(stored: StoredJob, start: Start, retries: Retries): Attempt {
    const { system, ledger, machine, owner } = this.#tools
    const { workflow, workflowId } = this.#stored
    const number = (this.#attemptsMade[start.position] ?? 0) + 1
    this.#attemptsMade[start.position] = number
    const record: AttemptStart = {
      job: describeJob(stored.job, this.#words(stored), this.#tools.workingDirectory),
      taskId: system.randomId(),
      user: system.host.user,
      machine,
      owner,
      startedAt: system.clock.wallSeconds(),
      intervalSeconds: workflow.monitor.enabled ? workflow.monitor.sampleIntervalSeconds : null,
    }
    const identity: JobIdentity = {
      workflowId,
      runId: this.#runId,
      jobId: stored.jobId,
      attempt: number,
      outputDirectory: this.#settings.outputDirectory,
    }
    const ref = ledger.workflows.beginAttempt(identity, record)
    const inputs = markInputs(system.files, workflow, stored.job.inputFiles)
    return { stored, start, identity, ref, record, retries, inputs }
  }

  #launch(attempt: Attempt): void {
    const { system, meter, cgroups, environment } = this.#tools
    const { workflow } = this.#stored
    const { job } = attempt.stored
    const { monitor } = workflow
    const launched = launch(system, meter, cgroups, {
      taskId: attempt.record.taskId,
      command: attempt.record.job.command,
      environment: jobEnvironment(environment, workflow, job, attempt.identity, attempt.start.gpus),
      workingDirectory: attempt.record.job.workingDirectory,
      group: 'own',
      stdin: '/dev/null',
      stdout: this.#stdio(attempt, 'o'),
      stderr: this.#stdio(attempt, 'e'),
      intervalSeconds: attempt.record.intervalSeconds,
      timeoutSeconds: monitor.enforce.includes('runtime') ? job.requirements.runtimeSeconds : null,
      memoryLimitBytes: monitor.enforce.includes('memory') ? job.requirements.memoryBytes : null,
      graceSeconds: this.#settings.graceSeconds,
      stragglers: 'kill',
      ownCgroup: this.#deservesCgroup(job),
      onSamples: (rows, count) => this.#keepSamples(attempt, rows, count),
    })
    this.#underWay += 1
    if (launched.kind === 'running') this.#show(attempt, launched.job)
    // Always later, so that ten thousand commands that are not there do not end inside one another.
    const done = launched.kind === 'running' ? launched.job.done : Promise.resolve(launched.result)
    void done.then((result) => {
      this.#live.delete(attempt.ref.attemptId)
      this.running.delete(attempt.ref.attemptId)
      // Others that ended by now are told in this same turn; what comes after it keeps them all at once.
      if (this.#endings.push({ attempt, result }) === 1)
        queueMicrotask(() => this.#guard(() => this.#keepEndings()))
      return undefined
    })
  }

  /** In one transaction: a commit costs as much as all else that is written for a job. */
  #keepEndings(): void {
    const endings = this.#endings.splice(0)
    this.#underWay -= endings.length
    const retried: (() => void)[] = []
    this.#startWhatFits(
      () => {
        for (const { attempt, result } of endings) {
          const retry = this.#ended(attempt, result)
          if (retry !== undefined) retried.push(retry)
        }
      },
      () => {
        for (const retry of retried) retry()
      },
    )
  }

  #show(attempt: Attempt, job: RunningJob): void {
    this.#nameInSeries(attempt)
    this.#live.set(attempt.ref.attemptId, job)
    const { clock } = this.#tools.system
    const startedAt = clock.monotonicSeconds()
    const view = viewOf(attempt, job, () => clock.monotonicSeconds() - startedAt)
    this.running.set(attempt.ref.attemptId, view)
    this.#observer.jobStarted(view)
  }

  /** Keeps how an attempt ended; answers how to go on where it is tried again. */
  #ended(attempt: Attempt, result: LaunchResult): (() => void) | undefined {
    const { ledger } = this.#tools
    const { stored } = attempt
    const { status, exitCode } = result.outcome
    const record = this.#recordOf(attempt, result)
    this.#addUse(record)
    const rule =
      status !== 'success' && this.#stopped === null
        ? attempt.retries.take(stored.job.failureHandler, exitCode)
        : undefined
    this.#observer.attemptEnded(stored.job.name, record, rule === undefined)
    ledger.jobs.finish(attempt.ref, endOf(record, result))
    if (rule !== undefined) return () => this.#recover(attempt, record, rule)
    if (status === 'success' && attempt.inputs.length > 0)
      ledger.workflows.keepInputs(stored.jobId, attempt.inputs)
    this.#settle(attempt, record)
    return undefined
  }

  /** What an end that is final means for the job and for others; the attempt itself is in the ledger. */
  #settle(attempt: Attempt, record: JobRecord): void {
    const { stored, start } = attempt
    const succeeded = record.status === 'success'
    this.#states.set(stored.jobId, stateOf(record))
    if (succeeded) this.#finished += 1
    else this.#noteFailure(attempt, record)
    const cancelled = this.#schedule.ended(start.position, succeeded)
    this.#cancel(cancelled, `${stored.job.name} did not succeed`)
    if (!succeeded && this.#settings.failFast && this.#stopped === null) {
      this.#stopped = `stopped because ${stored.job.name} did not succeed`
      this.#cancel(this.#schedule.cancelRest(), this.#stopped)
    }
    this.#actions.completed([start.position, ...cancelled])
  }

  /** Runs the recovery script, if there is one, and then the job once more. */
  #recover(attempt: Attempt, record: JobRecord, rule: FailureRule): void {
    this.#underWay += 1
    void this.#runRecovery(attempt, rule).then((recovered) => {
      this.#underWay -= 1
      this.#guard(() => {
        if (recovered && this.#stopped === null)
          this.#launch(this.#beginAttempt(attempt.stored, attempt.start, attempt.retries))
        else this.#startWhatFits(() => this.#settle(attempt, record))
      })
      return undefined
    })
  }

  async #runRecovery(attempt: Attempt, rule: FailureRule): Promise<boolean> {
    if (rule.recoveryScript === null) return true
    const { environment } = this.#tools
    const { job } = attempt.stored
    const exitCode = await this.#actions.runCommand(rule.recoveryScript, {
      environment: jobEnvironment(
        environment,
        this.#stored.workflow,
        job,
        attempt.identity,
        attempt.start.gpus,
      ),
      stdout: this.#stdio(attempt, 'o'),
      stderr: this.#stdio(attempt, 'e'),
    })
    if (exitCode !== 0)
      this.#observer.note(`the recovery script of ${job.name} exited with code ${exitCode}`)
    return exitCode === 0
  }

  #cancel(positions: readonly number[], because: string): void {
    if (positions.length === 0) return
    const jobs = positions.flatMap((position) => this.#stored.jobs[position] ?? [])
    for (const { jobId } of jobs) this.#states.set(jobId, 'cancelled')
    this.#tools.ledger.workflows.setStates(
      jobs.map(({ jobId }) => ({ jobId, state: 'cancelled' as const })),
    )
    this.#observer.jobsCancelled(
      jobs.map(({ job }) => job.name),
      because,
    )
  }

  #noteFailure(attempt: Attempt, record: JobRecord): void {
    this.#failed += 1
    this.#failures.push({
      name: attempt.stored.job.name,
      jobId: attempt.stored.jobId,
      status: record.status,
      reason: record.reason ?? `exited with code ${record.exitCode}`,
      stderrPath: this.#stdio(attempt, 'e'),
    })
  }

  #recordOf(attempt: Attempt, result: LaunchResult): JobRecord {
    const { job, taskId, user, machine, owner, startedAt } = attempt.record
    return {
      ...job,
      taskId,
      user,
      machine,
      owner,
      startedAt,
      jobId: attempt.stored.jobId,
      attempt: attempt.identity.attempt,
      endedAt: this.#tools.system.clock.wallSeconds(),
      durationSeconds: result.durationSeconds,
      ...result.outcome,
      usage: result.usage,
      samples: result.samples,
    }
  }

  #addUse(record: JobRecord): void {
    this.#usedCoreSeconds += record.usage.cpuTotalSeconds.value ?? 0
    const { cpus } = record.requirements
    if (cpus !== null && this.#requestedCoreSeconds !== null)
      this.#requestedCoreSeconds += cpus * (record.durationSeconds ?? 0)
  }

  #keepSamples(attempt: Attempt, rows: Float64Array, count: number): void {
    const { jobId, attempt: number } = attempt.identity
    this.#writeSeries((series) => series.addSamples(jobId, number, rows, count))
  }

  #nameInSeries({ stored, record }: Attempt): void {
    const { cpus, memoryBytes, runtimeSeconds } = stored.job.requirements
    this.#writeSeries((series) =>
      series.addJob({
        jobId: stored.jobId,
        jobName: stored.job.name,
        taskId: record.taskId,
        cores: this.#tools.machine.cores,
        requestedCpus: cpus,
        requestedMemoryBytes: memoryBytes,
        requestedRuntimeSeconds: runtimeSeconds,
      }),
    )
  }

  /** Trouble with the samples is told and is no reason to stop: the results are in the ledger. */
  #writeSeries(write: (series: SeriesFile) => void): void {
    if (this.#series === undefined) return
    try {
      write(this.#series)
    } catch (error) {
      this.#series = undefined
      this.#observer.note(`no more samples are kept: ${asError(error).message}`)
    }
  }

  /**
   * Trouble that is not a job's own, such as a full disk under the ledger, ends the run once what runs has ended;
   * what is kept stays kept.
   */
  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (this.#trouble === null) {
        this.#trouble = asError(error)
        this.#stopped ??= this.#trouble.message
        for (const job of this.#live.values()) job.signal('SIGTERM', false)
      }
      this.#endIfIdle()
    }
  }

  /** A limit needs one; else it is for jobs that say they take long enough to repay its cost. */
  #deservesCgroup({ requirements }: WorkflowJob): boolean {
    const { enforce } = this.#stored.workflow.monitor
    const limited = enforce.includes('memory') && requirements.memoryBytes !== null
    return limited || (requirements.runtimeSeconds ?? 0) >= longJobSeconds
  }

  #words(stored: StoredJob): readonly string[] {
    const { command, invocationScript } = stored.job
    const line = invocationScript === null ? command : `${invocationScript} ${command}`
    // A path of the job's own is for a shell to search: what starts programs here knows only the runner's.
    const ownPath = 'PATH' in stored.job.environment || 'PATH' in this.#stored.workflow.environment
    return ownPath ? [this.#tools.shell, '-c', line] : commandWords(line, this.#tools.shell)
  }

  #stdio(attempt: Attempt, stream: 'o' | 'e'): string {
    return stdioPath(this.#settings.outputDirectory, attempt.identity, stream)
  }

  #seriesPath(): string {
    return seriesPath(this.#settings.outputDirectory, {
      host: this.#tools.machine.host,
      workflowId: this.#stored.workflowId,
      runId: this.#runId,
    })
  }

  #summary(): RunSummary {
    const states: Partial<Record<JobState, number>> = {}
    for (const { jobId, state } of this.#stored.jobs) {
      const now = this.#states.get(jobId) ?? state
      states[now] = (states[now] ?? 0) + 1
    }
    return {
      workflowId: this.#stored.workflowId,
      runId: this.#runId,
      outputDirectory: this.#settings.outputDirectory,
      durationSeconds: this.#tools.system.clock.monotonicSeconds() - this.#startedAt,
      states,
      failures: this.#failures,
      usedCoreSeconds: this.#usedCoreSeconds,
      requestedCoreSeconds: this.#requestedCoreSeconds,
      stopped: this.#stopped,
    }
  }
}

function endOf(record: JobRecord, result: LaunchResult) {
  return {
    endedAt: record.endedAt ?? record.startedAt,
    durationSeconds: result.durationSeconds,
    outcome: result.outcome,
    usage: result.usage,
    samples: result.samples,
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

function stateOf(record: JobRecord): JobState {
  return record.status === 'unknown' ? 'error' : record.status
}

function viewOf(attempt: Attempt, job: RunningJob, elapsedSeconds: () => number): RunningView {
  return {
    name: attempt.stored.job.name,
    jobId: attempt.stored.jobId,
    attempt: attempt.identity.attempt,
    elapsedSeconds,
    requestedCpus: attempt.record.job.requirements.cpus,
    requestedMemoryBytes: attempt.record.job.requirements.memoryBytes,
    cpuPercent: () => job.cpuPercent,
    memoryBytes: () => job.memoryBytes,
  }
}
