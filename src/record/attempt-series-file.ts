import type { Columns } from '../model/series.ts'
import type { AttemptEnd, AttemptStart } from '../store/ledger/store.ts'
import type { SeriesWriter } from '../store/series/series.ts'
import { makeSeriesFile, type SeriesFile } from '../store/series/series-file.ts'
import { seriesFolder } from '../store/series/series-path.ts'
import type { Files } from '../system/system.ts'

interface SeriesOf {
  readonly ledger: string
  readonly jobId: number
  readonly start: AttemptStart
  readonly columns: Columns | undefined
}

/** The series file of a command by itself: `run_id` is the attempt, `workflow_id` the job. */
export class AttemptSeriesFile {
  readonly writer: SeriesWriter
  readonly #file: SeriesFile
  readonly #taskId: string

  constructor(files: Files, outputDirectory: string, { ledger, jobId, start, columns }: SeriesOf) {
    const foreign = files.foreignLinkTo(`${outputDirectory}/${seriesFolder}`)
    if (foreign !== undefined) throw new Error(foreign)
    const { job, machine, taskId, startedAt } = start
    const { host, cores } = machine
    const { requirements } = job
    this.#taskId = taskId
    this.#file = makeSeriesFile(outputDirectory, { ledger, host, workflowId: jobId, runId: 1 })
    this.#file.addJob({
      jobId,
      jobName: job.name,
      taskId,
      cores,
      requestedCpus: requirements.cpus,
      requestedMemoryBytes: requirements.memoryBytes,
      requestedRuntimeSeconds: requirements.runtimeSeconds,
    })
    this.#file.addAttempt({ taskId, jobId, attempt: 1, startedAt })
    this.writer = this.#file.writer(jobId, 1, columns)
  }

  finish(end: AttemptEnd): void {
    this.#file.endAttempt(this.#taskId, end)
    this.#file.close()
  }
}
