import type { PlotPage } from '../../render/plot/figure.ts'
import { withoutMarkup } from '../../render/plot/plot-markup.ts'
import type { Legend } from './legend.ts'
import type { Notes } from './notes.ts'
import { plotPlace, type Plotly } from './plotly.ts'

interface Shown {
  readonly legend: Legend
  readonly notes: Notes
  readonly plotly: Plotly
}

const mostTitle = 100

/** A picture is passed on without its page: it gets the title, and a legend with as much room as it takes. */
export function savePicture(
  format: 'png' | 'svg',
  { title, pictureName: filename, figure }: PlotPage,
  { legend, notes, plotly }: Shown,
): Promise<string> {
  const plot = plotPlace()
  const shown = legend.entries.filter(({ button, isOn }) => button !== null && isOn)
  const firsts = new Map(shown.map(({ first, name }) => [first, withoutMarkup(name)]))
  const data = plot.data
    .map((trace, index) => ({
      ...trace,
      showlegend: firsts.has(index),
      name: firsts.get(index) ?? trace.name,
    }))
    .filter(({ visible }) => visible !== false)
  const { margin } = figure.layout
  const layout = {
    ...plot.layout,
    annotations: (plot.layout.annotations ?? []).filter((_, index) => !notes.isHidden(index)),
    autosize: false,
    showlegend: true,
    margin: { ...margin, t: margin.t + 24 },
    title: {
      text: withoutMarkup(title.length > mostTitle ? `${title.slice(0, mostTitle - 1)}…` : title),
      font: { size: 16 },
      yref: 'container',
      y: 1,
      yanchor: 'top',
      pad: { t: 12 },
    },
    legend: { itemsizing: 'constant', font: { size: 12 }, y: 1, yanchor: 'top' },
  }
  const width = plot.clientWidth
  const height = Math.max(plot.clientHeight, shown.length * 20 + 160)
  const scale = format === 'png' ? 2 : 1
  return plotly.downloadImage({ data, layout }, { format, filename, width, height, scale })
}
