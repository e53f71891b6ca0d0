import uPlot from 'uplot'
import type { ChartData, JobChartData, LiveRows } from '../../model/job-chart-data.ts'
import { element } from '../dom.ts'
import { ChartState } from './chart-state.ts'
import { seriesColour, type Theme } from './colours.ts'
import { drawBands, drawMarks, drawPeak } from './marks-layer.ts'
import { limitColour, plotOptions, type PlotFrame } from './plot-options.ts'
import { chartWords, figureWords, peakWords, chartSamplesWords } from './words.ts'

/** What the charts of a job share. */
export interface Shared extends Omit<PlotFrame, 'width' | 'height'> {
  data(): JobChartData
  /** The pointer is over a moment, or over none. */
  pointed(seconds: number | null, from: OneChart): void
  selected(fromSeconds: number, toSeconds: number): void
  reset(): void
}

const chartHeight = 148

/** One chart with its legend. */
export class OneChart {
  readonly root: HTMLElement
  readonly #picture = element('div', { class: 'jc-plot', role: 'img' })
  readonly #legend = element('div', { class: 'jc-legend' })
  readonly #shared: Shared
  #figures: HTMLElement[] = []
  #marks: HTMLElement[] = []
  #lineMarks: HTMLElement[] = []
  readonly #state: ChartState
  #plot: uPlot | undefined
  /** While another chart moves this one's cursor. */
  #isLed = false

  constructor(chart: ChartData, shared: Shared) {
    this.#state = new ChartState(chart)
    this.#shared = shared
    this.root = element(
      'div',
      { class: 'jc-chart', 'data-chart': chart.id },
      this.#legend,
      this.#picture,
    )
    this.#writeLegend()
  }

  draw(width: number): void {
    if (this.#plot === undefined) this.#plot = this.#make(width)
    else if (this.#plot.width !== width) this.#plot.setSize({ width, height: chartHeight })
  }

  get plot(): uPlot | undefined {
    return this.#plot
  }

  get times(): readonly number[] {
    return this.#state.times
  }

  update(chart: ChartData): void {
    const names = ({ series }: ChartData): string => series.map(({ name }) => name).join()
    const isSame = names(this.#state.chart) === names(chart)
    this.#state.replace(chart)
    this.#writeLegend()
    if (isSame) {
      this.#name()
      this.#plot?.setData(this.#state.drawn(), true)
      return
    }
    const width = this.#plot?.width
    this.destroy()
    if (width !== undefined) this.draw(width)
  }

  append(rows: LiveRows): boolean {
    return this.#state.append(rows)
  }

  /** After rows were added. */
  refresh(): void {
    this.#plot?.setData(this.#state.drawn(), true)
    this.tell(null)
  }

  rescale(): void {
    const [min, max] = this.#shared.range()
    this.#plot?.setScale('x', { min, max })
  }

  repaint(): void {
    this.#colourMarks()
    this.#plot?.redraw(false)
  }

  /** Moves the cursor to a moment and tells the figures there; null takes it away. */
  point(seconds: number | null): void {
    const plot = this.#plot
    if (plot === undefined) return
    this.#isLed = true
    const left = seconds === null ? -10 : plot.valToPos(seconds, 'x')
    plot.setCursor({ left, top: 0 })
    this.#isLed = false
    this.tell(seconds === null ? null : (plot.cursor.idx ?? null))
  }

  /** The figures at a sample beside the names of the series; without one, how high they came. */
  tell(index: number | null): void {
    this.#figures.forEach((place, series) => {
      const value = this.#state.values[series]?.[index ?? -1]
      const { unit = 'count' } = this.#state.chart.series[series] ?? {}
      place.textContent = index === null ? peakWords(this.#state, series) : figureWords(unit, value)
    })
  }

  destroy(): void {
    this.#plot?.destroy()
    this.#plot = undefined
  }

  #make(width: number): uPlot {
    const shared = this.#shared
    this.#name()
    const options = plotOptions(
      this.#state,
      { ...shared, width, height: chartHeight },
      {
        drawClear: [(u) => drawBands(u, shared.data())],
        draw: [(u) => this.#drawOver(u)],
        setCursor: [(u) => this.#onCursor(u)],
        setSelect: [(u) => this.#onSelect(u)],
      },
    )
    const bind = { dblclick: () => () => (shared.reset(), null) }
    const cursor = { ...options.cursor, bind }
    return new uPlot({ ...options, cursor }, this.#state.drawn(), this.#picture)
  }

  #name(): void {
    this.#picture.setAttribute('aria-label', chartWords(this.#state, this.#shared.data()))
  }

  #drawOver(u: uPlot): void {
    const theme = this.#shared.theme()
    const { chart } = this.#state
    const { lines, series, id } = chart
    drawMarks(u, this.#shared.data(), lines, (unit) => limitColour(chart, unit, theme))
    const [one] = series
    if (id !== 'memory' || one === undefined) return
    const { highest, highest_at_seconds: at } = one.figures
    if (highest !== null && at !== null)
      drawPeak(u, at, highest, one.unit, seriesColour(one.name, theme))
  }

  #onCursor(u: uPlot): void {
    if (this.#isLed) return
    const { left = -10, idx } = u.cursor
    const seconds = left < 0 ? null : u.posToVal(left, 'x')
    this.tell(seconds === null ? null : (idx ?? null))
    this.#shared.pointed(seconds, this)
  }

  #onSelect(u: uPlot): void {
    const { left, width } = u.select
    if (width < 4) return
    const [from, to] = [u.posToVal(left, 'x'), u.posToVal(left + width, 'x')]
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
    this.#shared.selected(from, to)
  }

  #writeLegend(): void {
    const { title, series, lines } = this.#state.chart
    this.#figures = series.map(() => element('b'))
    this.#marks = series.map(() => element('i'))
    this.#lineMarks = lines.map(() => element('i'))
    this.#legend.replaceChildren(
      element('h3', {}, title),
      ...series.map(({ label }, place) =>
        element(
          'span',
          { class: 'jc-key' },
          this.#marks[place] ?? '',
          label,
          this.#figures[place] ?? '',
        ),
      ),
      ...lines.map(({ kind, label, unit, value }, place) =>
        element(
          'span',
          { class: `jc-key ${kind}` },
          this.#lineMarks[place] ?? '',
          label,
          element('b', {}, figureWords(unit, value)),
        ),
      ),
      element('small', { class: 'jc-samples' }, chartSamplesWords(this.#state)),
    )
    this.#colourMarks()
    this.tell(null)
  }

  #colourMarks(): void {
    const theme: Theme = this.#shared.theme()
    const { chart } = this.#state
    chart.series.forEach(({ name }, place) => {
      const mark = this.#marks[place]
      if (mark !== undefined) mark.style.borderColor = seriesColour(name, theme)
    })
    chart.lines.forEach(({ unit }, place) => {
      const mark = this.#lineMarks[place]
      if (mark !== undefined) mark.style.borderColor = limitColour(chart, unit, theme)
    })
  }
}
