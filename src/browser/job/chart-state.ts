import { decimateColumns } from '../../analysis/series/decimate-columns.ts'
import type { ChartData, ChartSeries, LiveRows } from '../../model/job-chart-data.ts'

/** More points than this are thinned: no screen has room for them. */
const mostPoints = 4000

/** The figures of one chart while it is on the screen: live samples are added to them. */
export class ChartState {
  chart: ChartData
  times: number[] = []
  values: (number | null)[][] = []
  #highest: (number | null)[] = []

  constructor(chart: ChartData) {
    this.chart = chart
    this.replace(chart)
  }

  replace(chart: ChartData): void {
    this.chart = chart
    this.times = [...chart.times]
    this.values = chart.series.map(({ values }) => [...values])
    this.#highest = chart.series.map(({ figures }) => figures.highest)
  }

  /** As a chart draws it: a share in percent of what it is a share of. */
  drawn(): [number[], ...(number | null)[][]] {
    return [
      this.times,
      ...this.chart.series.map(({ share_of: whole }, place) => {
        const values = this.values[place] ?? []
        if (whole === undefined) return values
        return values.map((value) => (value === null ? null : (100 * value) / whole))
      }),
    ]
  }

  highest(place: number): number | null {
    return this.#highest[place] ?? null
  }

  /** The upper end of the scale of these series and the lines beside them. */
  mostOf(series: readonly ChartSeries[]): number {
    const { series: all, lines } = this.chart
    let most = 0
    for (const one of series) {
      const [unit, highest] = [one.unit, this.highest(all.indexOf(one)) ?? 0]
      if (one.share_of !== undefined) most = Math.max(most, (100 * highest) / one.share_of)
      else most = Math.max(most, highest)
      for (const line of lines) if (line.unit === unit) most = Math.max(most, line.value)
    }
    return most
  }

  /** Rows take the place of all from their first moment on. Whether any of them is of this chart. */
  append({ columns, rows }: LiveRows): boolean {
    const time = columns.indexOf('elapsed_seconds')
    const places = this.chart.series.map(({ name }) => columns.indexOf(name))
    const first = rows.find((row) => typeof row[time] === 'number')?.[time] ?? null
    if (first === null || places.every((place) => place === -1)) return false
    let isNew = this.#cut(first)
    for (const row of rows) {
      const at = row[time] ?? null
      const figures = places.map((place) => row[place] ?? null)
      // Between two looks nothing is missing.
      if (at === null || figures.every((one) => one === null)) continue
      this.times.push(at)
      figures.forEach((figure, index) => this.#keep(index, figure))
      isNew = true
    }
    if (this.times.length > mostPoints) this.#thin()
    return isNew
  }

  /** Forgets what is told again. Whether there was anything. */
  #cut(fromSeconds: number): boolean {
    const kept = this.times.findLastIndex((at) => at < fromSeconds) + 1
    if (kept === this.times.length) return false
    this.times.length = kept
    this.values.forEach((values, index) => {
      const gone = values.splice(kept)
      // The highest may be another now; thinned values have it still.
      if (gone.some((one) => one !== null && one >= (this.#highest[index] ?? Infinity)))
        this.#highest[index] = highestOf(values)
    })
    return true
  }

  #keep(index: number, figure: number | null): void {
    this.values[index]?.push(figure)
    if (figure !== null && !(figure <= (this.#highest[index] ?? -1))) this.#highest[index] = figure
  }

  #thin(): void {
    const values = this.values.map((column) => Float64Array.from(column, (one) => one ?? NaN))
    const kept = decimateColumns({ times: Float64Array.from(this.times), values }, mostPoints / 2)
    this.times = [...kept.times]
    kept.values.forEach((column, place) => {
      this.values[place] = Array.from(column, (one) => (Number.isNaN(one) ? null : one))
    })
  }
}

const highestOf = (values: readonly (number | null)[]): number | null =>
  values.reduce((most, one) => (one === null ? most : Math.max(most ?? one, one)), null)
