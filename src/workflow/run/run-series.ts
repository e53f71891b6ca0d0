import { onlySampleColumns } from '../../model/sample.ts'
import { makeSeriesFile, type SeriesFile } from '../../store/sqlite/series-file.ts'
import type { SeriesRun } from '../../store/sqlite/series-path.ts'
import type { AttemptEnd } from '../../store/store.ts'
import type { Attempt } from './attempt.ts'

export interface SeriesOfRun extends SeriesRun {
  readonly outputDirectory: string
}

/**
 * The samples of a run, in a file of their own, with the figures of each attempt. Trouble with it is told and is no
 * reason to stop: the results are in the ledger.
 */
export class RunSeries {
  readonly path: string
  readonly #note: (message: string) => void
  /** Task ids that the file knows: it may have been made when they were running already. */
  readonly #named = new Set<string>()
  #file: SeriesFile | undefined

  constructor(directory: string, run: SeriesRun, note: (message: string) => void) {
    this.#note = note
    this.#file = makeSeriesFile(directory, run)
    this.path = this.#file.path
  }

  /** Whether somebody has removed it. */
  get isLost(): boolean {
    return this.#file?.isInPlace === false
  }

  begin(attempt: Attempt): void {
    this.#write((file) => this.#name(file, attempt))
  }

  add(attempt: Attempt, all: Float64Array, count: number, columns: readonly string[]): void {
    const rows = onlySampleColumns(all, count, columns)
    const { jobId, attempt: number } = attempt.identity
    this.#write((file) => {
      this.#name(file, attempt)
      file.addSamples(jobId, number, rows, count)
    })
  }

  end(attempt: Attempt, end: AttemptEnd): void {
    this.#write((file) => {
      this.#name(file, attempt)
      file.endAttempt(attempt.record.taskId, end)
    })
  }

  close(): void {
    this.#write((file) => file.close())
  }

  #name(file: SeriesFile, { stored, record, identity }: Attempt): void {
    const { taskId, startedAt, machine } = record
    if (this.#named.has(taskId)) return
    this.#named.add(taskId)
    const { cpus, memoryBytes, runtimeSeconds } = stored.job.requirements
    const { jobId, attempt } = identity
    file.addJob({
      jobId,
      jobName: stored.job.name,
      taskId,
      cores: machine.cores,
      requestedCpus: cpus,
      requestedMemoryBytes: memoryBytes,
      requestedRuntimeSeconds: runtimeSeconds,
    })
    file.addAttempt({ taskId, jobId, attempt, startedAt })
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
