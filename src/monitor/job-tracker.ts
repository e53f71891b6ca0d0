import type { OutcomeStatus } from '../model/outcome.ts'
import type { JobStatusDetails } from './job-status.ts'
import { outcomeOf } from './job-status.ts'
import type { MonitoredJob } from './job-json.ts'
import type { TrackedJob } from './tracked-job.ts'
import type { JobBook } from './job-book.ts'

/**
 * A job that `trackJob` has begun. Leaving its `await using` block, or `end()`, writes it down. JavaScript does not tell
 * whether such a block was left by an exception: where the work may throw, use `trackJob` with a function.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { JobMonitor, type JobTracker } from 'jobmeter'
 *
 * const monitor = new JobMonitor()
 * {
 *   await using tracker: JobTracker = monitor.trackJob({ taskId: 'task-456', tool: 'lammps' })
 *   // … the work …
 *   tracker.setStatus('failed', { returncode: 1, error: 'lost atoms' })
 * }
 * assert.equal((await monitor.getJobStats('task-456'))?.status, 'failed')
 * ```
 */
export class JobTracker implements AsyncDisposable {
  readonly taskId: string
  readonly #job: TrackedJob
  readonly #book: JobBook
  #outcome = outcomeOf('success')
  #isStatusSet = false
  #ended: Promise<MonitoredJob> | undefined

  constructor(taskId: string, job: TrackedJob, book: JobBook) {
    this.taskId = taskId
    this.#job = job
    this.#book = book
  }

  /** Says how the job ended. The last call counts; without one it is a success. */
  setStatus(status: OutcomeStatus, details: JobStatusDetails = {}): void {
    this.#outcome = outcomeOf(status, details)
    this.#isStatusSet = true
  }

  /** Notes what was thrown, unless the job has said already that it did not succeed. */
  threw(error: unknown): void {
    if (!this.#isStatusSet || this.#outcome.status === 'success') this.setStatus('error', { error })
  }

  /** Ends the job and answers what it used. Ending it again changes nothing. */
  end(): Promise<MonitoredJob> {
    this.#ended ??= this.#end()
    return this.#ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end()
  }

  async #end(): Promise<MonitoredJob> {
    const record = this.#job.end(this.#outcome)
    return this.#book.ended(record, await this.#job.settle())
  }
}
