import type { JobChartData } from '../../model/job-chart-data.ts'
import { briefSeconds } from '../../render/units/brief-figures.ts'
import { element } from '../dom.ts'
import type { OneChart } from './one-chart.ts'
import type { TimeAxis } from './time-axis.ts'

/** Above the charts: the moment under the cursor, what else was then, and the names of the phases. */
export class Head {
  readonly root: HTMLElement
  readonly phases = element('div', { class: 'jc-phases', 'aria-hidden': 'true' })
  readonly #time = element('span', { class: 'jc-time' })
  readonly #reset: HTMLElement
  readonly #axis: TimeAxis
  #range: readonly [number, number] = [0, 0]

  constructor(axis: TimeAxis, reset: () => void) {
    this.#axis = axis
    this.#reset = element(
      'button',
      { type: 'button', class: 'jc-reset', onclick: reset },
      'Show all',
    )
    this.root = element(
      'div',
      { class: 'jc-head' },
      this.#time,
      this.#reset,
      element('span', { class: 'jc-hint' }, 'Drag to zoom, double-click to show all'),
    )
  }

  tell(seconds: number | null, { marks, phases }: JobChartData): void {
    const [from, to] = this.#range
    if (seconds === null) {
      this.#time.textContent = `${briefSeconds(to - from) || '0s'} shown`
      return
    }
    const near = (to - from) / 150
    const phase = phases.find((one) => seconds >= one.from_seconds && seconds < one.to_seconds)
    const mark = marks.findLast(({ at_seconds: at }) => Math.abs(at - seconds) <= near)
    const words = [this.#axis.words(seconds, near), phase?.label, mark?.label]
    this.#time.textContent = words.filter((one) => one !== undefined).join(' · ')
  }

  show(
    data: JobChartData,
    range: readonly [number, number],
    end: number,
    first: OneChart | undefined,
  ): void {
    this.#range = range
    this.#reset.classList.toggle('is-zoomed', range[0] > 0 || range[1] < end)
    this.tell(null, data)
    const plot = first?.plot
    this.phases.hidden = data.phases.length === 0
    if (plot === undefined || data.phases.length === 0) return
    const left = plot.over.getBoundingClientRect().left - this.root.getBoundingClientRect().left
    const [from, to] = range
    const x = (at: number): number =>
      left + (plot.over.clientWidth * (Math.min(to, Math.max(from, at)) - from)) / (to - from)
    const labels = data.phases.flatMap(({ from_seconds: begin, to_seconds: last, label }) => {
      const [start, width] = [x(begin), x(last) - x(begin)]
      // Fewer letters than these say nothing.
      if (width < 34) return []
      const made = element('span', { title: label }, label)
      made.style.left = `${start}px`
      made.style.width = `${width}px`
      return [made]
    })
    this.phases.replaceChildren(...labels)
  }
}
