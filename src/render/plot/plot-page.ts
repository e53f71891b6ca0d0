import { embeddedJson, inlineScript, pageHead } from '../page/embed.ts'
import type { Figure } from './plot-job.ts'
import { plotScript } from './plot-script.ts'
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

const encoder = new TextEncoder()

/** The part of every page that is the same: Plotly, which is most of it, is encoded once. */
export function plotPages(plotlySource: string): (page: PlotPage) => readonly Uint8Array[] {
  const head = encoder.encode(`${pageHead('jobmeter plot', plotStyle)}<body>
<header>
<div><h1></h1><p id="note"></p></div>
<button type="button" id="align" aria-pressed="false" hidden>Align starts</button>
</header>
<main id="plot"></main>
<script>${inlineScript(plotlySource)}</script>
<script type="application/json" id="page">`)
  const tail = encoder.encode(`</script>
<script>${inlineScript(plotScript)}</script>
</body>
</html>
`)
  return (page) => [head, encoder.encode(embeddedJson(page)), tail]
}
