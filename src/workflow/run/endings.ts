import type { JobRecord } from '../../model/record.ts'
import type { FailureRule } from '../../model/workflow.ts'
import { endOf } from '../../store/ledger/attempt-record.ts'
import { killedReason } from '../../store/ledger/interrupted.ts'
import type { StoredJob, StoredWorkflow } from '../../store/ledger/workflow-store.ts'
import type { ActionRunner } from './actions.ts'
import { recordOfAttempt, type Attempt } from './attempt.ts'
import type { RunObserver } from './events.ts'
import type { AttemptResult } from './executor.ts'
import type { Certainty } from './handed-over.ts'
import type { RunOutput } from './run-output.ts'
import type { RunTally } from './run-tally.ts'
import type { RunnerTools } from './runner-tools.ts'
import type { Schedule } from './schedule.ts'
import type { Stopping } from './stopping.ts'

export interface Ending {
  readonly attempt: Attempt
  readonly result: AttemptResult
  readonly certainty: Certainty
}

/** An attempt after which its job is tried again. */
export interface Retry {
  readonly attempt: Attempt
  readonly record: JobRecord
  readonly rule: FailureRule
  /** What it had left running when its record was kept was ended since. */
  readonly hasLeftEnded?: boolean
}

interface RunParts {
  readonly tools: RunnerTools
  readonly stored: StoredWorkflow
  readonly observer: RunObserver
  readonly schedule: Schedule
  readonly tally: RunTally
  readonly output: RunOutput
  readonly actions: ActionRunner
  readonly stopping: Stopping
  readonly failFast: boolean
}

/** Keeps how attempts ended, and draws from it what it means for their jobs and for others. */
export class Endings {
  readonly #parts: RunParts
  readonly #untold: (() => void)[] = []

  constructor(parts: RunParts) {
    this.#parts = parts
  }

  /** Tells those who watch what was kept. To be called when the transaction is committed: what is told must not be lost. */
  tell(): void {
    for (const tell of this.#untold.splice(0)) tell()
  }

  /** Keeps how an attempt ended; answers whether its job is tried again. To be called in a transaction. */
  keep({ attempt, result, certainty }: Ending): Retry | undefined {
    const { tools, schedule, tally, output } = this.#parts
    const { ledger } = tools
    const { stored } = attempt
    const { status } = result.outcome
    const end = endOf(attempt.record, result)
    const record = recordOfAttempt(attempt, end)
    // A runner died, and nobody saw how the attempt ended.
    if (certainty === 'gone' && attempt.left !== null && this.#goesOn) {
      ledger.jobs.interrupt(attempt.ref.taskId, killedReason)
      schedule.putBack(attempt.start.position)
      return undefined
    }
    tally.addUse(record)
    const rule = this.#ruleFor(attempt, result, certainty)
    this.#untold.push(() =>
      this.#parts.observer.attemptEnded(stored.job.name, record, rule === undefined),
    )
    ledger.jobs.finish(attempt.ref, end)
    output.series?.end(attempt, end)
    if (rule !== undefined) return { attempt, record, rule }
    if (status === 'success' && attempt.inputs.length > 0)
      ledger.workflows.keepInputs(stored.jobId, attempt.inputs)
    this.#settle(attempt, record)
    return undefined
  }

  /** The end of an attempt that was given up: it counts when the workflow is resumed. */
  keepLate({ attempt, result }: Ending): void {
    this.#parts.tools.ledger.jobs.finish(attempt.ref, endOf(attempt.record, result))
    this.#parts.observer.note(
      `${attempt.stored.job.name}, which was given up, has ended after all: ${result.outcome.status}`,
    )
  }

  /** The job is not tried again after all. To be called in a transaction. */
  giveUp({ attempt, record, hasLeftEnded = false }: Retry): void {
    if (hasLeftEnded) this.#parts.tools.ledger.jobs.noteNothingLeft(attempt.ref)
    // What another runner makes of it is told by that.
    if (!this.#parts.stopping.isReplaced)
      this.#untold.push(() => this.#parts.observer.notTriedAgain(attempt.stored.job.name, record))
    this.#settle(attempt, record)
  }

  /** What an end that is final means for the job and for others; the attempt itself is in the ledger. */
  #settle(attempt: Attempt, record: JobRecord): void {
    const { stopping, schedule, tally, actions, failFast } = this.#parts
    const { stored, start } = attempt
    const succeeded = record.status === 'success'
    tally.addEnd(attempt, record)
    // The others are another runner's by now.
    if (stopping.isReplaced) return
    const cancelled = schedule.ended(start.position, succeeded)
    this.#cancel(cancelled, `${stored.job.name} did not succeed`)
    if (!succeeded && failFast && this.#goesOn) {
      const because = `stopped because ${stored.job.name} did not succeed`
      stopping.stop(because)
      this.#cancel(schedule.cancelRest(), because)
    }
    actions.completed([start.position, ...cancelled])
  }

  /** Another runner, which was thought dead, has told that a job that was to start had succeeded. */
  foundDone(stored: StoredJob, position: number): void {
    const { schedule, tally, actions } = this.#parts
    tally.addDone(stored.jobId)
    schedule.ended(position, true)
    actions.completed([position])
  }

  get #goesOn(): boolean {
    return this.#parts.stopping.because === null
  }

  /** What may still run is not run beside itself. */
  #ruleFor(
    { retries, stored }: Attempt,
    { outcome }: AttemptResult,
    certainty: Certainty,
  ): FailureRule | undefined {
    return outcome.status !== 'success' && certainty !== 'lost' && this.#goesOn
      ? retries.take(stored.job.failureHandler, outcome.exitCode)
      : undefined
  }

  #cancel(positions: readonly number[], because: string): void {
    if (positions.length === 0) return
    const { tools, stored, tally, observer } = this.#parts
    const jobs = positions.flatMap((position) => stored.jobs[position] ?? [])
    tally.addCancelled(jobs)
    tools.ledger.workflows.setStates(
      jobs.map(({ jobId }) => ({ jobId, state: 'cancelled' as const })),
    )
    const names = jobs.map(({ job }) => job.name)
    this.#untold.push(() => observer.jobsCancelled(names, because))
  }
}
