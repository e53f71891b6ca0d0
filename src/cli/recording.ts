import type { LaunchResult } from '../launch/request.ts'
import type { JobRecord } from '../model/record.ts'
import type { AttemptRef, AttemptStart, Store } from '../store/store.ts'
import type { System } from '../system/system.ts'

/**
 * Writes one attempt to the ledger while it runs. Once the job has started, trouble with the ledger
 * must not touch it: it is kept to be told at the end.
 */
export class Recording {
  readonly problems: string[] = []
  readonly #system: System
  readonly #store: Store
  readonly #start: AttemptStart
  readonly #attempt: AttemptRef

  constructor(system: System, store: Store, start: AttemptStart) {
    this.#system = system
    this.#store = store
    this.#start = start
    this.#attempt = store.begin(start)
  }

  get taskId(): string {
    return this.#start.taskId
  }

  readonly addSamples = (rows: Float64Array, count: number): void => {
    this.#try('some samples were not kept', () =>
      this.#store.addSamples(this.#attempt, rows, count),
    )
  }

  finish(result: LaunchResult): JobRecord {
    const { outcome, usage, samples, durationSeconds } = result
    const endedAt = this.#system.clock.wallSeconds()
    this.#try('the job is not in the ledger', () =>
      this.#store.finish(this.#attempt, { endedAt, durationSeconds, outcome, usage, samples }),
    )
    const { job, intervalSeconds: _, ...start } = this.#start
    return {
      ...job,
      ...start,
      jobId: this.#attempt.jobId,
      attempt: 1,
      endedAt,
      durationSeconds,
      ...outcome,
      usage,
      samples,
    }
  }

  #try(loss: string, write: () => void): void {
    try {
      write()
    } catch (error) {
      const problem = `${loss}: ${error instanceof Error ? error.message : String(error)}`
      if (!this.problems.includes(problem)) this.problems.push(problem)
    }
  }
}
