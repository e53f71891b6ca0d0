import { embeddedJson, inlineScript, pageHead } from './embed.ts'
import type { ReportData } from './report-content.ts'
import { reportStyle } from './report-style.ts'

/**
 * One page, complete in itself. Nothing that others wrote is in it but as JSON. `script` draws it: it is made of
 * src/browser/report.ts.
 */
export function reportPage(data: ReportData, script: string): string {
  const kind = data.kind === 'workflow' ? 'Workflow report' : 'Job report'
  return `${pageHead('jobmeter report', reportStyle)}<body>
<a class="skip" href="#main">Skip to the report</a>
<header>
<div>
<p class="kind">${kind}</p>
<h1></h1>
<dl id="facts"></dl>
</div>
<button type="button" id="theme">Dark</button>
</header>
<nav aria-label="Sections"><ul id="contents"></ul></nav>
<main id="main" tabindex="-1"></main>
<footer><p id="made"></p></footer>
<div id="tip" role="tooltip" hidden></div>
<noscript><p>This report is drawn by the script in it: allow scripts for this page.</p></noscript>
<script type="application/json" id="report">${embeddedJson(data)}</script>
<script>${inlineScript(script)}</script>
</body>
</html>
`
}
