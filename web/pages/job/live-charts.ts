import type { JobChartData, LiveRows } from '../../../src/model/job-chart-data.ts'
import type { LiveSamplesData } from '../../../src/server/schemas/live.ts'
import { KnownRows } from '../../live/known-rows.ts'

/** A series that cannot be read as far as it is told is not asked for all the time. */
const leastMilliseconds = 1000
/** More than come while anything is read; fewer than would fill the page while a server does not answer. */
const mostMeanwhile = 100

/** Adds what events tell to the charts of a job, and has them read anew where something is missing. */
export class LiveCharts {
  readonly #known = new KnownRows()
  readonly #append: (rows: LiveRows) => void
  readonly #readAnew: () => void
  /** What was told while the charts were being read: the answer may not have it yet. */
  #meanwhile: LiveSamplesData[] = []
  #isReading = true
  #askedAt = -Infinity

  constructor(append: (rows: LiveRows) => void, readAnew: () => void) {
    this.#append = append
    this.#readAnew = readAnew
  }

  read({ sample_count: count, charts }: JobChartData): void {
    this.#isReading = false
    // Charts are made by the server: as long as there are none, whatever comes is read.
    this.#known.read(charts.length === 0 ? -1 : count)
    const told = this.#meanwhile
    this.#meanwhile = []
    for (const event of told) this.take(event, false)
  }

  failed(): void {
    this.#isReading = false
  }

  take(event: LiveSamplesData, isWaiting: boolean): void {
    const isReading = isWaiting || this.#isReading
    this.#meanwhile = isReading ? [...this.#meanwhile, event].slice(-mostMeanwhile) : []
    if (this.#known.take(event)) {
      this.#append({ columns: event.columns, rows: event.rows })
      for (const card of cardRows(event.devices)) this.#append(card)
    } else if (!isReading && performance.now() - this.#askedAt > leastMilliseconds) {
      this.#askedAt = performance.now()
      this.#isReading = true
      this.#meanwhile = [event]
      this.#readAnew()
    }
  }
}

/** Rows of cards under the names that their charts have. */
const cardRows = (devices: LiveSamplesData['devices']): LiveRows[] =>
  devices
    .filter(({ kind, rows }) => kind === 'gpu' && rows.length > 0)
    .map(({ columns, rows }) => {
      const number = rows.at(-1)?.[columns.indexOf('gpu_index')] ?? 0
      const named = (name: string): string =>
        name === 'elapsed_seconds' ? name : `gpu_${number}_${name}`
      return { columns: columns.map(named), rows }
    })
