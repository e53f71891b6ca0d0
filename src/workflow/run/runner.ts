import { describeJob } from '../../model/describe-job.ts'
import { launch, launchAside, type Launched } from '../../launch/launch.ts'
import type { LaunchResult } from '../../launch/request.ts'
import type { RunningJob } from '../../launch/running-job.ts'
import { endStrays } from '../../launch/strays.ts'
import type { JobRecord } from '../../model/record.ts'
import type { FailureRule } from '../../model/workflow.ts'
import type { AttemptStart } from '../../store/store.ts'
import type { StoredJob, StoredWorkflow } from '../../store/workflow-store.ts'
import { steadyTime } from '../../system/steady-time.ts'
import { ActionRunner } from './actions.ts'
import { attemptRequest, getsCgroup, jobWords } from './attempt-request.ts'
import { DeclaredFiles } from './declared-files.ts'
import { endOf, recordOf, stdioOf, viewOf, type Attempt } from './attempt.ts'
import type { RunCounts, RunningView, RunObserver, RunSummary } from './events.ts'
import { jobEnvironment, type JobIdentity } from './job-environment.ts'
import { LedgerQueue } from './ledger-queue.ts'
import { Retries } from './retries.ts'
import { RunOutput } from './run-output.ts'
import { RunTally } from './run-tally.ts'
import type { RunnerTools, RunSettings } from './runner-tools.ts'
import { Schedule, type Start } from './schedule.ts'
import { markInputs } from './stale-inputs.ts'

interface Ending {
  readonly attempt: Attempt
  readonly result: LaunchResult
  readonly endedAt: number
}

/** While jobs run nobody blocks the event loop to wait for a lock: the queue tries again. */
const lockWait = { milliseconds: 20 }
/** How long a run that is to stop still tries to write down how its jobs ended. */
const lastTrySeconds = 10
/** Who took longer than this to write a few rows was stopped meanwhile. */
const longTurnSeconds = 5

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
  readonly #time: () => number
  readonly #attemptsMade: number[]
  readonly #live = new Map<number, RunningJob>()
  readonly #endings: Ending[] = []
  readonly #tally: RunTally
  readonly #writes: LedgerQueue
  readonly #output: RunOutput
  readonly #declared: DeclaredFiles
  /** Who starts a job in a cgroup steps into it for a moment, with whatever another thread starts meanwhile. */
  readonly #startsAside: boolean
  /** Attempts that have started, and recoveries, that have not come to their end. */
  #underWay = 0
  #stopped: string | null = null
  #stoppedBy: NodeJS.Signals | null = null
  #endSignal: NodeJS.Signals | null = null
  /** Whether another runs the workflow by now: what we know of it is out of date. */
  #isReplaced = false
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
    this.#time = steadyTime(tools.system.clock)
    this.#attemptsMade = stored.jobs.map(({ attempts }) => attempts)
    const { workflow } = stored
    this.#schedule = new Schedule(
      workflow.jobs,
      workflow.sortMethod,
      settings.capacity,
      (position) => stored.jobs[position]?.state === 'success',
    )
    this.#startsAside = !workflow.jobs.some((job) => getsCgroup(workflow, job))
    this.#tally = new RunTally(stored.jobs)
    this.#declared = new DeclaredFiles(tools.system.files, workflow)
    this.#writes = new LedgerQueue(tools.system.clock, {
      onLong: () => observer.note('waiting for another process that has the ledger locked'),
      onDone: () => this.#endIfIdle(),
      onFailure: (error) => this.#endWith(error),
    })
    this.#runId = tools.ledger.workflows.beginRun(stored.workflowId, {
      startedAt: this.#time(),
      outputDirectory: settings.outputDirectory,
      host: tools.machine.host,
      workingDirectory: tools.workingDirectory,
    })
    this.#output = new RunOutput(
      tools.system.files,
      stored,
      {
        outputDirectory: settings.outputDirectory,
        ledger: tools.ledger.path,
        host: tools.machine.host,
        workflowId: stored.workflowId,
        runId: this.#runId,
      },
      (message) => observer.note(message),
    )
    this.#actions = new ActionRunner(tools, stored, {
      runId: this.#runId,
      outputDirectory: settings.outputDirectory,
      graceSeconds: settings.graceSeconds,
      note: (message) => observer.note(message),
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

  async run(): Promise<RunSummary> {
    const { workflowId } = this.#stored
    try {
      this.#output.openSeries()
      await this.#actions.trigger('on_workflow_start')
      await this.#actions.trigger('on_worker_start')
      await new Promise<void>((resolve, reject) => {
        this.#over = resolve
        this.#fail = reject
        this.#tools.ledger.waitForLocks(lockWait)
        this.#writes.add(() => this.#startWhatFits(() => {}))
      })
    } finally {
      endStrays(this.#tools.system, this.#tools.meter)
      this.#output.close()
      this.#tools.ledger.waitForLocks(this.#tools.lockWait)
    }
    const { running, ready, blocked } = this.#schedule
    await this.#actions.finish(running + ready + blocked === 0 && !this.#isReplaced)
    this.#tools.ledger.workflows.endRun(workflowId, this.#runId, this.#time())
    return this.#summary()
  }

  /**
   * Starts nothing more and has what runs end; a second time it is killed. Jobs lead process groups of their own:
   * the keys of a terminal do not reach them, so every signal is passed on.
   */
  stop(signal: NodeJS.Signals): void {
    if (this.#stopped === null) this.#stoppedBy = signal
    this.#stopped ??= `stopped by ${signal}`
    this.#endJobs(signal)
    this.#actions.stop(signal)
    this.#writes.waitNoLongerThan(this.#settings.graceSeconds + lastTrySeconds)
    this.#endIfIdle()
  }

  #endIfIdle(): void {
    if (this.#underWay > 0 || !this.#writes.isEmpty) return
    if (this.#trouble === null) this.#over()
    else this.#fail(this.#trouble)
  }

  /** Does work in the ledger and, in the same transaction, begins what may start after it; then starts that. */
  #startWhatFits(work: () => void, afterwards: () => void = () => {}): void {
    const { ledger, system } = this.#tools
    const { clock } = system
    const askedAt = clock.monotonicSeconds()
    const begun: Attempt[] = []
    ledger.batchAsOne(() => {
      this.#noticeReplacement()
      work()
      if (this.#stopped !== null || this.#schedule.ready === 0 || !this.#hasOutput()) return
      for (let next = this.#schedule.next(); next !== undefined; next = this.#schedule.next()) {
        const stored = this.#stored.jobs[next.position]
        if (stored === undefined) continue
        if (ledger.workflows.hasSucceeded(stored.jobId)) this.#foundDone(stored, next)
        else begun.push(this.#beginAttempt(stored, next, new Retries()))
      }
    })
    this.#actions.becameReady(this.#schedule.takeNewlyReady())
    const go = (): void => {
      if (this.#isReplaced) this.#endJobs('SIGTERM')
      else for (const attempt of begun) this.#launch(attempt)
      afterwards()
    }
    // A write of its own, to be tried again by itself: what is committed must not be done twice.
    if (clock.monotonicSeconds() - askedAt > longTurnSeconds)
      this.#writes.add(() => {
        this.#noticeReplacement()
        go()
      })
    else go()
  }

  /**
   * Who was stopped for long (a suspended machine, SIGSTOP) may have been taken for dead. To be called inside the
   * transaction that is to write: another can then take over before or after it, and not in between.
   */
  #noticeReplacement(): void {
    const { workflowId } = this.#stored
    if (this.#isReplaced || this.#tools.ledger.workflows.holds(workflowId, this.#tools.owner))
      return
    this.#isReplaced = true
    this.#stopped = `another runner has taken workflow ${workflowId} over, for this one gave no sign of life`
  }

  /** Whether there is a place for the logs of what is to start. Without one nothing more starts. */
  #hasOutput(): boolean {
    const lost = this.#output.keep()
    if (lost === undefined) return true
    this.#stopped = `${lost}. Make it writable, or name another: jobmeter run --resume ${this.#stored.workflowId} --output-dir DIR`
    return false
  }

  /** Another runner, which was thought dead, has told that it had succeeded. */
  #foundDone(stored: StoredJob, { position }: Start): void {
    this.#tally.addDone(stored.jobId)
    this.#schedule.ended(position, true)
    this.#actions.completed([position])
  }

  #endJobs(signal: NodeJS.Signals): void {
    this.#endSignal = signal
    for (const job of this.#live.values()) job.signal(signal, false)
  }

  #beginAttempt(stored: StoredJob, start: Start, retries: Retries): Attempt {
    const { system, ledger, machine, owner } = this.#tools
    const { workflow, workflowId } = this.#stored
    const number = (this.#attemptsMade[start.position] ?? 0) + 1
    this.#attemptsMade[start.position] = number
    const record: AttemptStart = {
      job: describeJob(jobWords(workflow, stored.job, this.#tools.shell), {
        name: stored.job.name,
        requirements: stored.job.requirements,
        workingDirectory: this.#tools.workingDirectory,
      }),
      taskId: system.randomId(),
      user: system.host.user,
      machine,
      owner,
      startedAt: this.#time(),
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
    const { system, meter, cgroups } = this.#tools
    const request = attemptRequest(this.#tools, this.#stored.workflow, attempt, {
      graceSeconds: this.#settings.graceSeconds,
      onSamples: (...samples) => this.#output.series?.add(attempt, ...samples),
      onLogTrouble: (message) => this.#observer.note(message),
    })
    this.#underWay += 1
    if (this.#startsAside)
      launchAside(system, meter, request, (launched) => this.#launched(attempt, launched))
    else this.#launched(attempt, launch(system, meter, cgroups, request))
  }

  #launched(attempt: Attempt, launched: Launched): void {
    if (launched.kind === 'running') this.#show(attempt, launched.job)
    // Always later, so that ten thousand commands that are not there do not end inside one another.
    const done = launched.kind === 'running' ? launched.job.done : Promise.resolve(launched.result)
    void done.then((result) => {
      this.#tools.notes.forget(attempt.record.taskId)
      this.#live.delete(attempt.ref.attemptId)
      this.running.delete(attempt.ref.attemptId)
      // Others that ended by now are told in this same turn; what comes after it keeps them all at once.
      const endedAt = attempt.record.startedAt + result.durationSeconds
      const checked = this.#checked(attempt, result)
      if (this.#endings.push({ attempt, result: checked, endedAt }) === 1)
        queueMicrotask(() => {
          const keep = (): void => this.#keepEndings()
          this.#writes.add(keep, () => void this.#takeEndings())
        })
      return undefined
    })
  }

  #checked({ stored }: Attempt, result: LaunchResult): LaunchResult {
    const isStrict = this.#settings.strictFiles || this.#stored.workflow.strictFiles
    return this.#declared.checked(stored.job, result, isStrict)
  }

  /** In one transaction: a commit costs as much as all else that is written for a job. */
  #keepEndings(): void {
    const retried: (() => void)[] = []
    this.#startWhatFits(
      () => {
        for (const ending of this.#takeEndings()) {
          const retry = this.#ended(ending)
          if (retry !== undefined) retried.push(retry)
        }
      },
      () => {
        for (const retry of retried) retry()
      },
    )
  }

  #takeEndings(): Ending[] {
    const endings = this.#endings.splice(0)
    this.#underWay -= endings.length
    return endings
  }

  #show(attempt: Attempt, job: RunningJob): void {
    this.#output.series?.begin(attempt)
    this.#live.set(attempt.ref.attemptId, job)
    // Asked for while it was being started.
    if (this.#endSignal !== null) job.signal(this.#endSignal, false)
    const { clock } = this.#tools.system
    const startedAt = clock.monotonicSeconds()
    const view = viewOf(attempt, job, () => clock.monotonicSeconds() - startedAt)
    this.running.set(attempt.ref.attemptId, view)
    this.#observer.jobStarted(view)
  }

  /** Keeps how an attempt ended; answers how to go on where it is tried again. */
  #ended({ attempt, result, endedAt }: Ending): (() => void) | undefined {
    const { ledger } = this.#tools
    const { stored } = attempt
    const { status, exitCode } = result.outcome
    const record = recordOf(attempt, result, endedAt)
    this.#tally.addUse(record)
    const rule =
      status !== 'success' && this.#stopped === null
        ? attempt.retries.take(stored.job.failureHandler, exitCode)
        : undefined
    this.#observer.attemptEnded(stored.job.name, record, rule === undefined)
    const end = endOf(result, endedAt)
    ledger.jobs.finish(attempt.ref, end)
    this.#output.series?.end(attempt, end)
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
    this.#tally.addEnd(attempt, record)
    // The others are another runner's by now.
    if (this.#isReplaced) return
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
      this.#writes.add(() => {
        if (recovered && this.#stopped === null) this.#retry(attempt, record)
        else this.#startWhatFits(() => this.#settle(attempt, record))
      })
      return undefined
    })
  }

  #retry(attempt: Attempt, record: JobRecord): void {
    const { stored, start, retries } = attempt
    const next: Attempt[] = []
    this.#startWhatFits(
      () => {
        if (this.#isReplaced || !this.#hasOutput()) this.#settle(attempt, record)
        else next.push(this.#beginAttempt(stored, start, retries))
      },
      () => {
        if (!this.#isReplaced) for (const begun of next) this.#launch(begun)
      },
    )
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
      stdout: stdioOf(attempt, 'o'),
      stderr: stdioOf(attempt, 'e'),
    })
    if (exitCode !== 0)
      this.#observer.note(`the recovery script of ${job.name} exited with code ${exitCode}`)
    return exitCode === 0
  }

  #cancel(positions: readonly number[], because: string): void {
    if (positions.length === 0) return
    const jobs = positions.flatMap((position) => this.#stored.jobs[position] ?? [])
    this.#tally.addCancelled(jobs)
    this.#tools.ledger.workflows.setStates(
      jobs.map(({ jobId }) => ({ jobId, state: 'cancelled' as const })),
    )
    this.#observer.jobsCancelled(
      jobs.map(({ job }) => job.name),
      because,
    )
  }

  /**
   * Trouble that is not a job's own, such as a full disk under the ledger, ends the run once what runs has ended;
   * what is kept stays kept.
   */
  #endWith(error: unknown): void {
    if (this.#trouble !== null) return
    this.#trouble = asError(error)
    this.#stopped ??= this.#trouble.message
    this.#endJobs('SIGTERM')
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
      stopped: this.#stopped,
      stoppedBy: this.#stoppedBy,
    }
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
