import type { PlotPage } from '../render/plot/figure.ts'
import { byId, element, embedded } from './dom.ts'
import { offerAlignment } from './plot/align.ts'
import { drawPlot } from './plot/draw.ts'
import { Legend } from './plot/legend.ts'
import { plotly } from './plot/plotly.ts'

/** Draws the figure that stands in its page. */
const page = embedded('page') as PlotPage
document.title = page.title
document.querySelector('h1')?.replaceChildren(page.title)
byId('note').textContent = page.note

const library = plotly()
const legend = new Legend(page.figure, library)
if (library === undefined) {
  const file = document.querySelector('script[src]')?.getAttribute('src')
  const sorry = `The plot cannot be drawn: ${file} is not in the directory of this page. A page made with --self-contained does not need it.`
  byId('plot').append(element('p', {}, sorry))
} else {
  void drawPlot(page, legend, library)
  if (page.canAlign) offerAlignment(page.figure, legend, library)
}
