import { besidePolicy, embeddedJson, inlineScript, pageHead } from '../page/embed.ts'
import type { PlotPage } from './figure.ts'
import { plotStyle } from './plot-style.ts'

/** Plotly in every page, to pass a page on by itself; or once in a file beside them. */
export type PlotlyPlace =
  | { readonly kind: 'inside'; readonly source: string }
  | { readonly kind: 'beside'; readonly fileName: string }

const encoder = new TextEncoder()

/**
 * The part of every page that is the same, which is most of it, is encoded once. `script` draws the page: it is made of
 * src/browser/plot.ts.
 */
export function plotPages(
  plotly: PlotlyPlace,
  script: string,
): (page: PlotPage) => readonly Uint8Array[] {
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
<script>${inlineScript(script)}</script>
</body>
</html>
`)
  return (page) => [head, encoder.encode(embeddedJson(page)), tail]
}
