import type { Columns, DeviceRows } from '../../model/series.ts'
import { makeSeriesFile, type SeriesFile } from '../../store/series/series-file.ts'
import type { SeriesRun } from '../../store/series/series-path.ts'
import type { SeriesWriter } from '../../store/series/series.ts'
import type { AttemptEnd } from '../../store/ledger/store.ts'
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
  readonly #tell: (message: string) => void
  /** Task ids that the file knows: it may have been made when they were running already. */
  readonly #named = new Set<string>()
  /** By task id, of attempts that are running. */
  readonly #writers = new Map<string, SeriesWriter>()
  #file: SeriesFile | undefined

  constructor(directory: string, run: SeriesRun, tell: (message: string) => void) {
    this.#tell = tell
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

  add(attempt: Attempt, rows: Float64Array, count: number, columns: Columns): void {
    this.#write((file) => {
      this.#name(file, attempt)
      this.#writerOf(file, attempt, columns).add(rows, count)
    })
  }

  addDevices(attempt: Attempt, devices: readonly DeviceRows[]): void {
    const { record, identity } = attempt
    this.#write((file) => {
      this.#name(file, attempt)
      // Rows of devices name their columns themselves; those of samples are told with the first of them.
      const writer =
        this.#writers.get(record.taskId) ?? file.writer(identity.jobId, identity.attempt)
      for (const rows of devices) writer.addDevice(rows)
    })
  }

  end(attempt: Attempt, end: AttemptEnd): void {
    this.#write((file) => {
      this.#name(file, attempt)
      file.endAttempt(attempt.record.taskId, end)
      this.#writers.delete(attempt.record.taskId)
    })
  }

  close(): void {
    this.#write((file) => file.close())
  }

  #writerOf(file: SeriesFile, { record, identity }: Attempt, columns: Columns): SeriesWriter {
    const known = this.#writers.get(record.taskId)
    if (known !== undefined) return known
    const writer = file.writer(identity.jobId, identity.attempt, columns)
    this.#writers.set(record.taskId, writer)
    return writer
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
      this.#tell(
        `no more samples are kept: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
}
