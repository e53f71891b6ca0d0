import type { Figure, LegendEntry, PlotTrace } from '../../render/plot/figure.ts'
import { formatCount } from '../../render/units/figures.ts'
import { byId, element } from '../dom.ts'
import { sample } from './legend-sample.ts'
import { plotPlace, type Plotly } from './plotly.ts'

export interface Entry extends LegendEntry {
  readonly first: number
  /** The first of its lines, which shows how all of them look. */
  readonly trace: PlotTrace
  isOn: boolean
  /** Not to be seen just now, whether it is on or not. */
  isAway: boolean
  /** None for a line that was not drawn at first: such lines are chosen from a list. */
  button: HTMLElement | null
}

/** What each line is called. In the page and not in the plot, where Plotly would cut it or let it scroll. */
export class Legend {
  readonly entries: readonly Entry[]
  readonly #plotly: Plotly | undefined
  readonly #list = byId('legend')
  readonly #more = byId('more')

  constructor({ legend, data }: Figure, plotly: Plotly | undefined) {
    this.#plotly = plotly
    this.entries = legend.flatMap((entry) => {
      const [first = -1] = entry.traces
      const trace = data[first]
      const isOn = trace?.visible !== false
      if (trace === undefined) return []
      return [{ ...entry, first, trace, isOn, isAway: false, button: null }]
    })
    for (const entry of this.entries) if (entry.isOn) this.#add(entry)
    this.#arrange()
    this.#offerOthers()
    this.#more.addEventListener('change', ({ target }) => {
      const chosen = target instanceof HTMLSelectElement ? target.value : ''
      const entry = chosen === '' ? undefined : this.entries[Number(chosen)]
      if (entry !== undefined) this.#choose(entry)
    })
  }

  /** Has the plot show the lines that are on, and the buttons say which those are. */
  show(): void {
    for (const { button, isOn } of this.entries) button?.setAttribute('aria-pressed', String(isOn))
    if (this.#plotly === undefined) return
    const plot = plotPlace()
    const visible = new Map(
      this.entries.flatMap(({ traces, isOn, isAway }) =>
        traces.map((index) => [index, isOn && !isAway] as const),
      ),
    )
    const changing = [...visible.keys()].filter(
      (index) => (plot.data[index]?.visible ?? true) !== visible.get(index),
    )
    if (changing.length === 0) return
    const changes = { visible: changing.map((index) => visible.get(index)) }
    void this.#plotly.restyle(plot, changes, changing)
  }

  /** Samples in the colours of the page as they are now. */
  repaint(): void {
    for (const { button, trace } of this.entries) button?.firstChild?.replaceWith(sample(trace))
  }

  #choose(entry: Entry): void {
    entry.isOn = true
    this.#add(entry)
    this.#arrange()
    this.#offerOthers()
    this.show()
  }

  #add(entry: Entry): void {
    const name = element('span', { class: 'name' }, entry.name)
    const attributes = { type: 'button', title: entry.wholeName ?? '' }
    const button = element('button', attributes, sample(entry.trace), name)
    button.addEventListener('click', () => {
      entry.isOn = !entry.isOn
      this.show()
    })
    button.addEventListener('dblclick', () => this.#showAlone(entry))
    entry.button = button
    this.#list.append(element('li', {}, button))
  }

  /** The one alone; and all again, where it is alone already. */
  #showAlone(entry: Entry): void {
    const listed = this.entries.filter(({ button }) => button !== null)
    const isAlone = listed.every((each) => each.isOn === (each === entry))
    for (const each of listed) each.isOn = isAlone || each === entry
    this.show()
  }

  /** All columns as wide as the longest name, so that names stand under one another. */
  #arrange(): void {
    const { style } = this.#list
    style.gridTemplateColumns = 'repeat(auto-fill, max-content)'
    const widths = this.entries.map(({ button }) => button?.getBoundingClientRect().width ?? 0)
    const widest = Math.ceil(Math.max(0, ...widths) + 14)
    style.gridTemplateColumns = `repeat(auto-fill, minmax(min(100%, ${widest}px), max-content))`
  }

  /** Lines that are not drawn at first are chosen from a list. */
  #offerOthers(): void {
    const others = [...this.entries.entries()].filter(([, { button }]) => button === null)
    this.#more.hidden = others.length === 0
    const options = others.map(([value, { name }]) => element('option', { value }, name))
    const first = `one of ${formatCount(others.length)} others`
    this.#more
      .querySelector('select')
      ?.replaceChildren(element('option', { value: '' }, first), ...options)
  }
}
