import { pageHead } from '../page/embed.ts'
import { declared, type ColourName } from '../palette.ts'
import { plotText } from '../plot/plot-text.ts'
import type { BenchmarkComparisonJson } from './comparison-json.ts'
import { changeHeaders, changeRows, comparisonNotes, sideLine } from './comparison-rows.ts'
import type { BenchmarkJson } from './json.ts'
import {
  benchmarkNotes,
  speedUpHeaders,
  speedUpRows,
  statisticHeaders,
  statisticRows,
} from './rows.ts'
import { runsPicture } from './runs-picture.ts'

const colours: readonly ColourName[] = ['paper', 'card', 'ink', 'quiet', 'edge', 'accent', 'bad']
const style = `
:root { color-scheme: light; ${declared(colours, 'light')} }
@media (prefers-color-scheme: dark) { :root { color-scheme: dark; ${declared(colours, 'dark')} } }
body { margin: 0 auto; max-width: 70rem; padding: 2rem 1rem 3rem; background: var(--paper); color: var(--ink);
  font: 15px/1.55 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
h1 { margin: 0 0 0.4rem; font-size: 1.7rem; overflow-wrap: anywhere; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.15rem; }
p { margin: 0.3rem 0; } .quiet { color: var(--quiet); } code { overflow-wrap: anywhere; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; background: var(--card); }
th, td { padding: 0.35rem 0.7rem; border-bottom: 1px solid var(--edge); text-align: right; white-space: nowrap; }
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2), th:last-child, td:last-child { text-align: left; }
svg { width: 100%; height: auto; background: var(--card); } svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
svg .axis { fill: var(--quiet); } svg line { stroke: var(--edge); } svg .mean { stroke: var(--ink); stroke-width: 2; }
svg .range { fill: var(--accent); fill-opacity: 0.2; } svg circle { fill: var(--accent); } svg .apart { fill: var(--bad); }
`

/** A benchmark as one page, complete in itself and without a script. */
export function benchmarkPage(
  benchmark: BenchmarkJson,
  comparison: BenchmarkComparisonJson | null,
): string {
  const speedUps = speedUpRows(benchmark)
  const notes = benchmarkNotes(benchmark)
  return `${pageHead('jobmeter benchmark', style)}<body>
<main>
<p class="quiet">Benchmark ${benchmark.benchmark_id}</p>
<h1>${plotText(benchmark.name)}</h1>
<p><code>${plotText(benchmark.command.join(' '))}</code></p>
<h2>Runs</h2>
${runsPicture(benchmark)}
<h2>Figures</h2>
${htmlTable(statisticHeaders, statisticRows(benchmark))}
${speedUps.length === 0 ? '' : `<h2>Speed-up</h2>\n${htmlTable(speedUpHeaders, speedUps)}`}
${paragraphs(notes)}
${comparison === null ? '' : comparisonPart(comparison)}
</main>
</body>
</html>
`
}

const comparisonPart = (comparison: BenchmarkComparisonJson): string => `<h2>Comparison</h2>
${paragraphs([sideLine('A', comparison.a), sideLine('B', comparison.b)])}
${htmlTable(changeHeaders, changeRows(comparison))}
${paragraphs(comparisonNotes(comparison))}`

const paragraphs = (lines: readonly string[]): string =>
  lines.map((line) => `<p>${plotText(line)}</p>`).join('\n')

function htmlTable(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = headers.map((header) => `<th scope="col">${plotText(header)}</th>`).join('')
  const body = rows
    .map((row) => `<tr>${row.map((cell) => `<td>${plotText(cell)}</td>`).join('')}</tr>`)
    .join('\n')
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table></div>`
}
