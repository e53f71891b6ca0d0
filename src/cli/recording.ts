import type { LaunchResult } from '../launch/request.ts'
import type { Job } from '../model/job.ts'
import type { JobRecord } from '../model/record.ts'
import { openSeriesFile, seriesPath, type SeriesFile } from '../store/sqlite/series-file.ts'
import type { AttemptRef, AttemptStart, Store } from '../store/store.ts'
import type { System } from '../system/system.ts'
import { ourselves } from './ledger.ts'

interface Circumstances {
  readonly machineMemoryBytes: number | null
  /** null where the job is not watched. */
  readonly intervalSeconds: number | null
}

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
  #series: SeriesFile | undefined

  constructor(
    system: System,
    store: Store,
    job: Job,
    { machineMemoryBytes, intervalSeconds }: Circumstances,
  ) {
    this.#system = system
    this.#store = store
    this.#start = {
      job,
      taskId: system.randomId(),
      user: system.host.user,
      machine: {
        host: system.host.name,
        cores: system.host.cores,
        memoryBytes: machineMemoryBytes,
      },
      owner: ourselves(system),
      startedAt: system.clock.wallSeconds(),
      intervalSeconds,
    }
    this.#attempt = store.begin(this.#start)
  }

  /** Writes the samples to a file of their own as well: `run_id` is the attempt, `workflow_id` the job. */
  alsoTo(outputDirectory: string): void {
    const { job, machine, taskId } = this.#start
    const { jobId } = this.#attempt
    this.#try('no series file is written', () => {
      const run = { host: machine.host, workflowId: jobId, runId: 1 }
      const series = openSeriesFile(seriesPath(outputDirectory, run))
      series.addJob({
        jobId,
        jobName: job.name,
        taskId,
        cores: machine.cores,
        requestedCpus: job.requirements.cpus,
        requestedMemoryBytes: job.requirements.memoryBytes,
        requestedRuntimeSeconds: job.requirements.runtimeSeconds,
      })
      this.#series = series
    })
  }

  get taskId(): string {
    return this.#start.taskId
  }

  readonly addSamples = (rows: Float64Array, count: number): void => {
    this.#try('some samples were not kept', () =>
      this.#store.addSamples(this.#attempt, rows, count),
    )
    this.#try('some samples are not in the series file', () =>
      this.#series?.addSamples(this.#attempt.jobId, 1, rows, count),
    )
  }

  finish(result: LaunchResult): JobRecord {
    const { outcome, usage, samples, durationSeconds } = result
    const endedAt = this.#system.clock.wallSeconds()
    this.#try('the job is not in the ledger', () =>
      this.#store.finish(this.#attempt, { endedAt, durationSeconds, outcome, usage, samples }),
    )
    this.#try('the series file was not closed', () => this.#series?.close())
    const { job, taskId, user, machine, owner, startedAt } = this.#start
    return {
      ...job,
      taskId,
      user,
      machine,
      owner,
      startedAt,
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
