import { embeddedJson, inlineScript, pageHead } from '../page/embed.ts'
import { reportStyle } from '../page/report-style.ts'
import type { HeatData } from './heat-data.ts'
import { heatStyle } from './heat-style.ts'

/** One page, complete in itself; `script` draws it: it is made of src/browser/heat.ts. */
export const heatPage = (
  data: HeatData,
  script: string,
): string => `${pageHead('Hours of the week – jobmeter usage', `${reportStyle}${heatStyle}`)}<body class="heat">
<a class="skip" href="#main">Skip to the map</a>
<header>
<div>
<p class="kind">Usage</p>
<h1></h1>
<dl id="facts"></dl>
</div>
<button type="button" id="theme">Dark</button>
</header>
<main id="main" tabindex="-1"></main>
<footer><p id="made"></p></footer>
<div id="tip" role="tooltip" hidden></div>
<noscript><p>This page is drawn by the script in it: allow scripts for this page.</p></noscript>
<script type="application/json" id="heat">${embeddedJson(data)}</script>
<script>${inlineScript(script)}</script>
</body>
</html>
`
