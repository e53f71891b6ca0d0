import { besidePolicy, embeddedJson, inlineScript, pageHead } from '../page/embed.ts'
import { legendScript } from './client/legend.ts'
import { plotScript } from './client/plot.ts'
import { themeScript } from './client/theme.ts'
import { plotColours } from './line-style.ts'
import type { Figure } from './plot-job.ts'
import { plotStyle } from './plot-style.ts'

export interface PlotPage {
  readonly title: string
  readonly note: string
  /** The name of an exported picture, without its ending. */
  readonly pictureName: string
  /** Whether all lines can be made to start at one point. */
  readonly canAlign: boolean
  readonly figure: Figure
}

/** Plotly in every page, to pass a page on by itself; or once in a file beside them. */
export type PlotlyPlace =
  | { readonly kind: 'inside'; readonly source: string }
  | { readonly kind: 'beside'; readonly fileName: string }

const encoder = new TextEncoder()
const script = [themeScript, legendScript, plotScript].join('\n')

/** The part of every page that is the same, which is most of it, is encoded once. */
export function plotPages(plotly: PlotlyPlace): (page: PlotPage) => readonly Uint8Array[] {
  const top =
    plotly.kind === 'inside'
      ? pageHead('jobmeter plot', plotStyle)
      : pageHead('jobmeter plot', plotStyle, besidePolicy)
  const library =
    plotly.kind === 'inside'
      ? `<script>${inlineScript(plotly.source)}</script>`
      : `<script src="${plotly.fileName}"></script>`
  const head = encoder.encode(`${top}<body>
<header>
<div><h1></h1><p id="note"></p></div>
<label id="more" hidden>Add <select></select></label>
<button type="button" id="align" aria-pressed="false" hidden>Align starts</button>
</header>
<ul id="legend" aria-label="Lines"></ul>
<main id="plot"></main>
${library}
<script type="application/json" id="page">`)
  const tail = encoder.encode(`</script>
<script>'use strict';(() => {
const darkColours = ${JSON.stringify(darkColours)}
${inlineScript(script)}
})()</script>
</body>
</html>
`)
  return (page) => [head, encoder.encode(embeddedJson(page)), tail]
}

const darkColours = Object.fromEntries(
  Object.values(plotColours).map(({ light, dark }) => [light, dark]),
)
