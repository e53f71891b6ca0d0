import type { SampleRow } from '../../model/sample.ts'
import { PointRates, type DerivedPoint } from './rates.ts'
import { steadyCpuSeconds } from './steady-cpu.ts'

/** What is new in a series that grows. */
export interface SeriesGrowth {
  /**
   * The points take the place of all from this one on, counted from 0. null: rates changed that were derived too long ago, and
   * the series is to be derived anew.
   */
  readonly firstRow: number | null
  readonly points: readonly DerivedPoint[]
}

/**
 * So many rows are kept at least. A counter that lags changes the rates of some steps before, seldom of more than a
 * few: what one sample shows too much is less than a twentieth of a step, and steps that are not full take it up.
 */
const fewestRows = 128
const mostRows = 2 * fewestRows
/** Where a change reaches so near to the first row that is kept, it may go on before. */
const doubtfulRows = 8

/** Derives the rates of samples as they come: in the end its points are those that `deriveSeries` answers for all rows. */
export class GrowingSeries {
  readonly #cores: number
  /** The last rows, and what was used of each to derive its rates. */
  #rows: SampleRow[] = []
  #cpuSeconds: Float64Array = new Float64Array(0)
  /** How many rows came before these. */
  #before = 0
  /** Whether rows before these were never seen. */
  #isCut = false
  /** The counters before the first of these rows, and after the last. */
  #first: PointRates
  #last: PointRates

  constructor(cores: number) {
    this.#cores = cores
    this.#first = new PointRates(cores)
    this.#last = new PointRates(cores)
  }

  /** How many rows there are in all. */
  get length(): number {
    return this.#before + this.#rows.length
  }

  /** The last of so many rows that are known already. */
  beginAfter(lastRows: readonly SampleRow[], length: number): void {
    this.#rows = [...lastRows]
    this.#before = length - lastRows.length
    this.#isCut = this.#before > 0
    this.#cpuSeconds = steadyCpuSeconds(this.#rows, this.#cores)
    this.#first = new PointRates(this.#cores)
    this.#last = this.#ratesBefore(this.#rows.length, this.#cpuSeconds)
  }

  add(rows: readonly SampleRow[]): SeriesGrowth {
    const known = this.#rows.length
    this.#rows.push(...rows)
    const cpuSeconds = steadyCpuSeconds(this.#rows, this.#cores)
    const first = this.#firstChange(cpuSeconds, known)
    const rates = first === known ? this.#last : this.#ratesBefore(first, cpuSeconds)
    const countersRead = rates.countersRead
    const points = this.#rows
      .slice(first)
      .map((row, offset) => rates.next(row, cpuSeconds[first + offset] ?? Number.NaN))
    // When a counter was last read may not be known, or a change may reach back to rows that are not kept.
    const isDoubtful =
      (this.#isCut && rates.countersRead > countersRead) ||
      (this.#before > 0 && first < Math.min(doubtfulRows, known))
    this.#last = rates
    this.#cpuSeconds = cpuSeconds
    const firstRow = this.#before + first
    if (this.#rows.length > mostRows) this.#forget(this.#rows.length - fewestRows)
    return isDoubtful ? { firstRow: null, points: [] } : { firstRow, points }
  }

  #firstChange(cpuSeconds: Float64Array, known: number): number {
    for (let index = 0; index < known; index += 1)
      if (!Object.is(cpuSeconds[index], this.#cpuSeconds[index])) return index
    return known
  }

  /** The counters before one of these rows. */
  #ratesBefore(index: number, cpuSeconds: Float64Array): PointRates {
    const rates = this.#first.copy()
    for (let at = 0; at < index; at += 1) {
      const row = this.#rows[at]
      if (row !== undefined) rates.next(row, cpuSeconds[at] ?? Number.NaN)
    }
    return rates
  }

  #forget(rows: number): void {
    this.#first = this.#ratesBefore(rows, this.#cpuSeconds)
    this.#rows = this.#rows.slice(rows)
    this.#cpuSeconds = this.#cpuSeconds.slice(rows)
    this.#before += rows
  }
}
