import { openSeriesFile, seriesPath, type SeriesFile } from '../../store/sqlite/series-file.ts'
import type { Attempt } from './attempt.ts'

export interface SeriesOfRun {
  readonly outputDirectory: string
  readonly host: string
  readonly workflowId: number
  readonly runId: number
}

/**
 * The samples of a run, in a file of their own. Trouble with it is told and is no reason to stop: the results are in
 * the ledger.
 */
export class RunSeries {
  readonly #note: (message: string) => void
  #file: SeriesFile | undefined

  constructor(run: SeriesOfRun, note: (message: string) => void) {
    this.#note = note
    this.#file = openSeriesFile(seriesPath(run.outputDirectory, run))
  }

  nameJob({ stored, record }: Attempt): void {
    const { cpus, memoryBytes, runtimeSeconds } = stored.job.requirements
    this.#write((file) =>
      file.addJob({
        jobId: stored.jobId,
        jobName: stored.job.name,
        taskId: record.taskId,
        cores: record.machine.cores,
        requestedCpus: cpus,
        requestedMemoryBytes: memoryBytes,
        requestedRuntimeSeconds: runtimeSeconds,
      }),
    )
  }

  add({ identity }: Attempt, rows: Float64Array, count: number): void {
    this.#write((file) => file.addSamples(identity.jobId, identity.attempt, rows, count))
  }

  close(): void {
    this.#write((file) => file.close())
  }

  #write(write: (file: SeriesFile) => void): void {
    if (this.#file === undefined) return
    try {
      write(this.#file)
    } catch (error) {
      this.#file = undefined
      this.#note(
        `no more samples are kept: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
}
