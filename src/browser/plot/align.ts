import type { Figure } from '../../render/plot/figure.ts'
import { byId } from '../dom.ts'
import type { Legend } from './legend.ts'
import { plotPlace, type Plotly } from './plotly.ts'

/** A button that has all lines start at one point, and puts them back on the clock. */
export function offerAlignment({ data, layout }: Figure, legend: Legend, plotly: Plotly): void {
  const button = byId('align')
  const lines = data.flatMap(({ x, meta: start }, index) =>
    start === undefined ? [] : [{ index, x, start }],
  )
  button.hidden = false
  button.addEventListener('click', () => {
    const isAligned = button.getAttribute('aria-pressed') !== 'true'
    button.setAttribute('aria-pressed', String(isAligned))
    // The highest of all at each moment is none of lines that have left their moments.
    for (const entry of legend.entries) entry.isAway = isAligned && entry.trace.meta === undefined
    legend.show()
    const times = lines.map(({ x, start }) =>
      isAligned ? x.map((time) => (time - start) / 1000) : x,
    )
    const axis = {
      'xaxis.type': isAligned ? 'linear' : 'date',
      'xaxis.title.text': isAligned ? 'Seconds since each one started' : layout.xaxis.title?.text,
      'xaxis.hoverformat': isAligned ? ',.1f' : layout.xaxis.hoverformat,
      'xaxis.autorange': true,
    }
    const indexes = lines.map(({ index }) => index)
    void plotly.update(plotPlace(), { x: times }, axis, indexes)
  })
}
