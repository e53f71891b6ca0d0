import { baseScript } from './client/base.ts'
import { findingsScript } from './client/findings.ts'
import { resourcesScript } from './client/resources.ts'
import { seriesScript } from './client/series.ts'
import { tableScript } from './client/table.ts'
import { timelineScript } from './client/timeline.ts'
import { embeddedJson, inlineScript, pageHead } from './embed.ts'
import type { ReportData } from './report-data.ts'
import { reportStyle } from './report-style.ts'

/** Each part draws its own section; they share what `base` defines. */
const script = [
  baseScript,
  findingsScript,
  timelineScript,
  seriesScript,
  resourcesScript,
  tableScript,
].join('\n')

/** One page, complete in itself. Nothing that others wrote is in it but as JSON. */
export function reportPage(data: ReportData): string {
  const kind = data.kind === 'workflow' ? 'Workflow report' : 'Job report'
  return `${pageHead('jobmeter report', reportStyle)}<body>
<a class="skip" href="#main">Skip to the report</a>
<header>
<div>
<p class="kind">${kind}</p>
<h1></h1>
<dl id="facts"></dl>
</div>
<button type="button" id="theme" aria-pressed="false">Dark</button>
</header>
<nav aria-label="Sections"><ul id="contents"></ul></nav>
<main id="main" tabindex="-1"></main>
<footer><p id="made"></p></footer>
<div id="tip" role="tooltip" hidden></div>
<noscript><p>This report is drawn by the script in it: allow scripts for this page.</p></noscript>
<script type="application/json" id="report">${embeddedJson(data)}</script>
<script>'use strict';(() => {
${inlineScript(script)}
})()</script>
</body>
</html>
`
}
