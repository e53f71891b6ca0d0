import type { StoredWorkflow } from '../../store/ledger/workflow-store.ts'
import { placeBeside } from '../../store/series/series-search.ts'
import { isForeignToRoot } from '../../store/strangers.ts'
import type { Files } from '../../system/system.ts'
import type { RunObserver } from './events.ts'
import { OutputDirectory } from './output-directory.ts'
import { RunSeries, type SeriesOfRun } from './run-series.ts'

type Hears = Pick<RunObserver, 'note' | 'trouble'>

/** The directory that a run writes to, with the file of its samples where that is wanted. */
export class RunOutput {
  series: RunSeries | undefined
  readonly #directory: OutputDirectory
  readonly #wantsSeries: boolean
  readonly #run: SeriesOfRun
  readonly #hears: Hears

  constructor(files: Files, { workflow }: StoredWorkflow, run: SeriesOfRun, hears: Hears) {
    this.#directory = new OutputDirectory(files, run.outputDirectory)
    this.#wantsSeries = workflow.monitor.enabled && workflow.monitor.granularity === 'time_series'
    this.#run = run
    this.#hears = hears
  }

  /** Trouble with it is told, and is no reason to stop: the results are in the ledger. */
  openSeries(): void {
    if (!this.#wantsSeries) return
    try {
      this.#makeSeries()
    } catch (error) {
      this.#hears.trouble(
        `no samples are kept: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }

  #makeSeries(): void {
    const { outputDirectory, ledger } = this.#run
    if (!isForeignToRoot(outputDirectory)) {
      this.series = new RunSeries(outputDirectory, this.#run, (message) =>
        this.#hears.trouble(message),
      )
      return
    }
    // Root often runs jobs in somebody's directory: in a container it is the rule.
    this.series = new RunSeries(placeBeside(ledger), this.#run, (message) =>
      this.#hears.trouble(message),
    )
    this.#hears.note(
      `samples are kept in ${this.series.path}, because others can change ${outputDirectory} and root does not create a series file there`,
    )
  }

  /**
   * Makes the directory again if somebody has removed it, and says so; the answer says what is wrong where that cannot be
   * done. What has ended is in the ledger all the same.
   */
  keep(): string | undefined {
    if (this.#directory.isThere) return undefined
    const { outputDirectory } = this.#run
    const trouble = this.#directory.make()
    if (trouble !== undefined)
      return `stopped because the output directory ${outputDirectory} was removed and cannot be created again (${trouble}); results are in the ledger`
    if (this.series?.isLost === true) this.#openSeriesAgain()
    this.#hears.trouble(
      `the output directory ${outputDirectory} was removed while the workflow ran; it was created again, but the logs and samples in it are lost`,
    )
    return undefined
  }

  #openSeriesAgain(): void {
    this.close()
    this.series = undefined
    this.openSeries()
  }

  close(): void {
    this.series?.close()
  }
}
