import type { PlotPage } from '../../render/plot/figure.ts'
import type { Legend } from './legend.ts'
import { Notes } from './notes.ts'
import { savePicture } from './picture.ts'
import { axesOf, plotPlace, type PlotElement, type Plotly } from './plotly.ts'
import { changed, dark, layoutColours, traceColours } from './theme.ts'

/** Draws the figure, and again where the window, the legend or the reader's colours change. */
export async function drawPlot(page: PlotPage, legend: Legend, plotly: Plotly): Promise<void> {
  const { data, layout } = page.figure
  const strips = axesOf(layout).filter(([name]) => name.startsWith('y')).length
  plotPlace().style.setProperty('--strips', String(strips))
  const notes = new Notes()
  const save = (format: 'png' | 'svg') => () => savePicture(format, page, { legend, notes, plotly })
  const button = { icon: arrow }
  const plot = await plotly.newPlot(
    plotPlace(),
    data.map((trace) => changed(trace, traceColours(trace))),
    changed(wholeLayout(page), layoutColours(layout)),
    {
      ...config,
      modeBarButtonsToAdd: [
        { name: 'png', title: 'Save as PNG', ...button, click: save('png') },
        { name: 'svg', title: 'Save as SVG', ...button, click: save('svg') },
      ],
    },
  )
  notes.fit(plot)
  plot.on('plotly_afterplot', () => notes.fit(plot))
  plot.dataset['drawn'] = 'yes'
  // The window, or a legend that has become longer.
  new ResizeObserver(() => plotly.Plots.resize(plot)).observe(plot)
  dark.addEventListener('change', () => void repaint(plot, page, legend, plotly))
}

async function repaint(
  plot: PlotElement,
  { figure }: PlotPage,
  legend: Legend,
  plotly: Plotly,
): Promise<void> {
  for (const [index, trace] of figure.data.entries()) {
    const shown = plot.data[index]
    if (shown !== undefined) Object.assign(shown, changed(shown, traceColours(trace)))
  }
  legend.repaint()
  await plotly.relayout(plot, layoutColours(figure.layout))
  await plotly.redraw(plot)
}

/** The figure's layout with what all plots have in common. */
function wholeLayout({ figure: { layout } }: PlotPage): object {
  // Ticks and titles take the room that they need, however long the figures are.
  const axes = axesOf(layout).map(([name, axis]) => [name, { ...axis, automargin: true }])
  return {
    ...layout,
    ...(Object.fromEntries(axes) as object),
    autosize: true,
    showlegend: false,
    font: { family: 'system-ui, sans-serif', size: 13 },
    hoverlabel: { namelength: -1 },
  }
}

const arrow = {
  width: 24,
  height: 24,
  path: 'M11 3h2v9l3-3 1.4 1.4L12 15.8l-5.4-5.4L8 9l3 3zM4 19h16v2H4z',
}

const config = {
  displayModeBar: true,
  displaylogo: false,
  showSendToCloud: false,
  plotlyServerURL: '',
  scrollZoom: true,
  modeBarButtonsToRemove: ['toImage', 'select2d', 'lasso2d'],
}
