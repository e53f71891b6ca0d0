import type { RunRow } from '../../store/ledger/workflow-store.ts'
import { StoreError } from '../../store/errors.ts'
import { openRunSeries } from '../../store/series/series-search.ts'
import type { SeriesWatch } from '../../store/series/series-watch.ts'
import type { FollowedRow } from '../../store/sqlite/followed-table.ts'
import type { FollowedAttempt, WrittenDeviceRow } from './followed-attempt.ts'
import { rowsLookedBack } from './ledger-source.ts'
import { SourceLost } from './source-lost.ts'

/** The samples of the attempts of one run, in the series file that the run writes. */
export class SeriesSource {
  readonly #ledger: string
  readonly #workflowId: number
  readonly #run: RunRow
  /** Those whose rows are read, by job and attempt. */
  readonly #attempts = new Map<string, FollowedAttempt>()
  #series: SeriesWatch | undefined
  #rowId = 0
  #deviceRowId = 0

  constructor(ledger: string, workflowId: number, run: RunRow) {
    this.#ledger = ledger
    this.#workflowId = workflowId
    this.#run = run
  }

  get isOpen(): boolean {
    return this.#series !== undefined
  }

  /** Looks for the file, which a run makes before its first attempt begins, if it keeps samples at all. */
  find(): void {
    const run = { ...this.#run, workflowId: this.#workflowId, ledger: this.#ledger }
    this.#series = openRunSeries(this.#run.outputDirectory, run)
    this.#rowId = this.#series?.samples.newestId() ?? 0
    this.#deviceRowId = this.#series?.deviceRows.newestId() ?? 0
  }

  /** To be called for each attempt of the run that runs or has just ended, each time before its rows are read. */
  follow(attempt: FollowedAttempt): void {
    const { jobId, attempt: number } = attempt.facts
    const key = `${jobId} ${number}`
    if (this.#series === undefined || jobId === null || this.#attempts.has(key)) return
    if (!this.#series.hasTask(attempt.taskId)) return
    this.#attempts.set(key, attempt)
    const place = { jobId, attempt: number }
    if (attempt.isFound) {
      const last = this.#series.lastSamples(place, this.#rowId, rowsLookedBack)
      const length = this.#series.countSamples(place, this.#rowId)
      attempt.beginAfter(last.map(valuesOf), length)
      const devices = this.#series.lastDeviceRows(place, this.#deviceRowId)
      attempt.beginAfterDevices(
        devices.map((row) => ({ ...this.#written(row), length: row.length })),
        devices.reduce((sum, row) => sum + row.length, 0),
      )
      return
    }
    // It began after its first rows were read here, or before the file was found.
    attempt.addRows(0, this.#series.samplesOf(place, this.#rowId).map(valuesOf))
    const deviceRows = this.#series.deviceRowsOf(place, this.#deviceRowId)
    attempt.addDeviceRows(
      0,
      deviceRows.map((row) => this.#written(row)),
    )
  }

  read(): void {
    const series = this.#series
    if (series === undefined) return
    if (series.isReplaced) throw new SourceLost('the series file of a run is gone')
    try {
      if (series.hasChanged()) this.#readNew(series)
    } catch (error) {
      series.readAgain()
      if (!(error instanceof StoreError) || error.code !== 'locked') throw error
    }
  }

  /** It has ended, and was told. */
  forget(attempt: FollowedAttempt): void {
    this.#attempts.delete(`${attempt.facts.jobId} ${attempt.facts.attempt}`)
  }

  close(): void {
    this.#series?.close()
    this.#series = undefined
  }

  #readNew(series: SeriesWatch): void {
    const rows = series.samplesAfter(this.#rowId)
    for (const [key, ofAttempt] of Map.groupBy(rows, keyOf)) {
      const attempt = this.#attempts.get(key)
      attempt?.addRows(attempt.rowCount, ofAttempt.map(valuesOf))
    }
    this.#rowId = rows.at(-1)?.rowId ?? this.#rowId
    const deviceRows = series.deviceRowsAfter(this.#deviceRowId)
    for (const [key, ofAttempt] of Map.groupBy(deviceRows, keyOf)) {
      const attempt = this.#attempts.get(key)
      const written = ofAttempt.map((row) => this.#written(row))
      attempt?.addDeviceRows(attempt.deviceRowCount, written)
    }
    this.#deviceRowId = deviceRows.at(-1)?.rowId ?? this.#deviceRowId
  }

  #written({ keys, values }: FollowedRow): WrittenDeviceRow {
    const [kind, id] = keys.slice(2)
    const columns = this.#series?.deviceRows.columns ?? []
    return { kind: String(kind), id: String(id), columns, values }
  }
}

const valuesOf = ({ values }: FollowedRow): Float64Array => values

const keyOf = ({ keys: [jobId, attempt] }: FollowedRow): string =>
  `${Number(jobId)} ${Number(attempt)}`
