import type { JobState } from '../../model/job-state.ts'
import { isLowerBound } from '../../model/measured.ts'
import { leftBehindText } from '../../model/outcome.ts'
import { errorText, type JobRecord } from '../../model/record.ts'
import type { StoredJob } from '../../store/ledger/workflow-store.ts'
import { stdioOf, type Attempt } from './attempt.ts'
import type { JobFailure, JobWarning } from './events.ts'

/** What has come of a run so far. */
export class RunTally {
  readonly failures: JobFailure[] = []
  readonly warnings: JobWarning[] = []
  usedCoreSeconds = 0
  /** More may have been used: of some attempt that is said, or nothing is known. */
  usedIsLowerBound = false
  /** CPUs times duration of the attempts that asked for CPUs. */
  requestedCoreSeconds = 0
  readonly #jobs: readonly StoredJob[]
  readonly #states = new Map<number, JobState>()
  #succeeded: number

  constructor(jobs: readonly StoredJob[]) {
    this.#jobs = jobs
    this.#succeeded = jobs.filter(({ state }) => state === 'success').length
  }

  /** Those of earlier runs included. */
  get succeeded(): number {
    return this.#succeeded
  }

  /** An attempt has used something, however it ended. */
  addUse(record: JobRecord): void {
    const { cpuTotalSeconds: used } = record.usage
    this.usedCoreSeconds += used.value ?? 0
    if (used.value === null || isLowerBound(used)) this.usedIsLowerBound = true
    this.requestedCoreSeconds += (record.requirements.cpus ?? 0) * (record.durationSeconds ?? 0)
  }

  /** A job has come to its final end. */
  addEnd(attempt: Attempt, record: JobRecord): void {
    const { jobId, job } = attempt.stored
    const { status } = record
    const text = errorText(record)
    if (record.stragglers.length > 0)
      this.warnings.push({ name: job.name, jobId, text: leftBehindText(record.stragglers) })
    this.#states.set(jobId, status === 'unknown' ? 'error' : status)
    if (status === 'success') {
      this.#succeeded += 1
      if (text !== null) this.warnings.push({ name: job.name, jobId, text })
      return
    }
    this.failures.push({
      name: job.name,
      jobId,
      status,
      reason: text ?? status,
      stderrPath: stdioOf(attempt, 'e'),
    })
  }

  /** A job turned out to have succeeded elsewhere. */
  addDone(jobId: number): void {
    this.#states.set(jobId, 'success')
    this.#succeeded += 1
  }

  addCancelled(jobs: readonly StoredJob[]): void {
    for (const { jobId } of jobs) this.#states.set(jobId, 'cancelled')
  }

  /** How many jobs stand how now. */
  states(): Partial<Record<JobState, number>> {
    const states: Partial<Record<JobState, number>> = {}
    for (const { jobId, state } of this.#jobs) {
      const now = this.#states.get(jobId) ?? state
      states[now] = (states[now] ?? 0) + 1
    }
    return states
  }
}
