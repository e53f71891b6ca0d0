import type { ChartData, JobChartData, LiveRows } from '../../model/job-chart-data.ts'
import { element } from '../dom.ts'
import { isDark, onTheme } from '../theme.ts'
import { adoptChartStyle } from './style.ts'
import type { Theme } from './colours.ts'
import { figuresTable } from './figures-table.ts'
import { takeKeys, takeTouches, type Gestures } from './gestures.ts'
import { Head } from './head.ts'
import { OneChart, type Shared } from './one-chart.ts'
import { rightRoom, unitsOf } from './plot-options.ts'
import { elapsedAxis, type TimeAxis } from './time-axis.ts'

export interface JobChartsOptions {
  /** What their times are: how long a job had been running, unless told otherwise. */
  readonly axis?: TimeAxis
  /** The range that is shown has changed: time to ask for finer data. Called when it has come to rest. */
  readonly onRange?: (fromSeconds: number, toSeconds: number) => void
}

/** How long a range stays as it is before finer data is asked for. */
const restMilliseconds = 180
/** Less than this is not worth looking at. */
const leastSpanSeconds = 0.05

/** The charts of a job on one axis of time, with one cursor. */
export function jobCharts(
  host: HTMLElement,
  data: JobChartData,
  options: JobChartsOptions = {},
): JobCharts {
  return new JobCharts(host, data, options)
}

export class JobCharts implements Gestures {
  readonly #root = element('div', { class: 'job-charts', tabindex: '0', role: 'group' })
  readonly #stack = element('div')
  readonly #notes = element('div')
  readonly #head: Head
  readonly #options: JobChartsOptions
  readonly #axis: TimeAxis
  readonly #stop: (() => void)[]
  #data: JobChartData
  #charts = new Map<string, OneChart>()
  #range: [number, number]
  #end: number
  #isPrinting = false
  #at: number | null = null
  #frame = 0
  #rest: ReturnType<typeof setTimeout> | undefined

  constructor(host: HTMLElement, data: JobChartData, options: JobChartsOptions) {
    adoptChartStyle()
    this.#options = options
    this.#axis = options.axis ?? elapsedAxis
    this.#data = data
    this.#range = [data.from_seconds, data.to_seconds]
    this.#end = data.to_seconds
    this.#head = new Head(this.#axis, () => this.reset())
    this.#root.append(this.#head.root, this.#head.phases, this.#stack, this.#notes)
    host.replaceChildren(this.#root)
    this.#build()
    takeKeys(this.#root, this)
    takeTouches(this.#stack, this)
    const size = new ResizeObserver(() => this.#draw())
    size.observe(this.#root)
    const printing = (is: boolean) => () => this.#print(is)
    const [before, after] = [printing(true), printing(false)]
    addEventListener('beforeprint', before)
    addEventListener('afterprint', after)
    this.#stop = [
      () => size.disconnect(),
      onTheme(() => this.#repaint()),
      () => removeEventListener('beforeprint', before),
      () => removeEventListener('afterprint', after),
    ]
    this.#draw()
  }

  /** Other data of the same job: finer, or more of it. What is shown stays where it is. */
  update(data: JobChartData): void {
    const { phases, duration_seconds: duration } = this.#data
    const follows = this.#range[1] >= this.#end
    // Phases that were seen are told with the whole job only.
    this.#data = data.phases.length > 0 ? data : { ...data, phases }
    this.#end = Math.max(this.#end, data.to_seconds)
    if (follows && duration === null) this.#range = [this.#range[0], this.#end]
    this.#build()
    this.#draw()
    this.#show()
  }

  /** Samples that were just taken. Drawn with the next frame, however many come before it. */
  append(rows: LiveRows): void {
    const time = rows.columns.indexOf('elapsed_seconds')
    const newest = rows.rows.reduce((most, row) => Math.max(most, row[time] ?? 0), this.#end)
    const follows = this.#range[1] >= this.#end
    const grown = [...this.#charts.values()].filter((chart) => chart.append(rows))
    this.#end = newest
    if (follows) this.#range = [this.#range[0], newest]
    if (grown.length === 0 || this.#frame !== 0) return
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0
      for (const chart of this.#charts.values()) chart.refresh()
      this.#show()
      this.point(this.#at)
    })
  }

  setRange(fromSeconds: number, toSeconds: number): void {
    const from = Math.max(0, fromSeconds)
    const to = Math.min(this.#end, Math.max(toSeconds, from + leastSpanSeconds))
    this.#range = [Math.min(from, to - leastSpanSeconds), to]
    for (const chart of this.#charts.values()) chart.rescale()
    this.#show()
    clearTimeout(this.#rest)
    this.#rest = setTimeout(() => this.#options.onRange?.(...this.#range), restMilliseconds)
  }

  destroy(): void {
    clearTimeout(this.#rest)
    cancelAnimationFrame(this.#frame)
    for (const stop of this.#stop) stop()
    for (const chart of this.#charts.values()) chart.destroy()
    this.#root.remove()
  }

  range(): readonly [number, number] {
    return this.#range
  }

  reset(): void {
    this.setRange(0, this.#end)
  }

  zoom(factor: number): void {
    const [from, to] = this.#range
    const middle = this.#at ?? (from + to) / 2
    this.setRange(middle - (middle - from) * factor, middle + (to - middle) * factor)
  }

  step(direction: 1 | -1): void {
    const [first] = this.#charts.values()
    const times = first?.times ?? []
    const [from, to] = this.#range
    const at = this.#at ?? (direction > 0 ? from - 1 : to + 1)
    const next =
      direction > 0 ? times.find((time) => time > at) : times.findLast((time) => time < at)
    if (next === undefined) return
    if (next < from || next > to) this.setRange(from + next - at, to + next - at)
    this.point(next)
  }

  secondsAt(clientX: number): number | null {
    const [first] = this.#charts.values()
    const plot = first?.plot
    if (plot === undefined) return null
    const { left, width } = plot.over.getBoundingClientRect()
    return clientX < left || clientX > left + width ? null : plot.posToVal(clientX - left, 'x')
  }

  point(seconds: number | null): void {
    this.#at = seconds
    this.#head.tell(seconds, this.#data)
    for (const chart of this.#charts.values()) chart.point(seconds)
  }

  get #shared(): Shared {
    const isWide = this.#data.charts.some(({ series }) => unitsOf(series).length > 1)
    return {
      right: isWide ? rightRoom : 14,
      axis: this.#axis,
      theme: () => this.#theme,
      range: () => this.#range,
      data: () => this.#data,
      pointed: (seconds, from) => {
        this.#at = seconds
        this.#head.tell(seconds, this.#data)
        for (const chart of this.#charts.values()) if (chart !== from) chart.point(seconds)
      },
      selected: (from, to) => this.setRange(from, to),
      reset: () => this.reset(),
    }
  }

  get #theme(): Theme {
    return isDark() && !this.#isPrinting ? 'dark' : 'light'
  }

  /** A chart that was there before is kept, so that nothing jumps. */
  #build(): void {
    const { charts, absent, name } = this.#data
    const before = this.#charts
    const keep = (chart: ChartData): [string, OneChart] => {
      const found = before.get(chart.id)
      found?.update(chart)
      return [chart.id, found ?? new OneChart(chart, this.#shared)]
    }
    this.#charts = new Map(charts.map(keep))
    for (const [id, chart] of before) if (!this.#charts.has(id)) chart.destroy()
    this.#stack.replaceChildren(...[...this.#charts.values()].map(({ root }) => root))
    this.#root.setAttribute(
      'aria-label',
      `Charts of ${name} over time. Arrow keys move the cursor, plus and minus zoom, 0 shows all.`,
    )
    const lines = absent.map(({ title, why }) => element('li', {}, `${title}: ${why}.`))
    this.#notes.replaceChildren(
      ...(lines.length === 0 ? [] : [element('ul', { class: 'jc-absent' }, ...lines)]),
      ...(charts.length === 0 ? [] : [figuresTable(this.#data, this.#axis)]),
    )
  }

  #draw(): void {
    const [first] = this.#charts.values()
    const place = first?.root.querySelector<HTMLElement>('.jc-plot')
    const width = Math.floor(place?.clientWidth ?? 0)
    if (width < 50) return
    for (const chart of this.#charts.values()) chart.draw(width)
    // uPlot lays a new chart out when what made it is done.
    queueMicrotask(() => this.#show())
  }

  #show(): void {
    const [first] = this.#charts.values()
    this.#head.show(this.#data, this.#range, this.#end, first)
  }

  #repaint(): void {
    for (const chart of this.#charts.values()) chart.repaint()
  }

  #print(is: boolean): void {
    this.#isPrinting = is
    this.point(null)
    this.#repaint()
  }
}
