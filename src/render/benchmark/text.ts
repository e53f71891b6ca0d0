import { wrapWords } from '../text/display-width.ts'
import { printable } from '../text/printable.ts'
import type { Style } from '../text/style.ts'
import { table } from '../text/table.ts'
import type { BenchmarkComparisonJson } from './comparison-json.ts'
import {
  changeHeaders,
  changeRows,
  comparisonNotes,
  isWorthShowing,
  sideLine,
} from './comparison-rows.ts'
import type { BenchmarkJson } from './json.ts'
import {
  benchmarkNotes,
  speedUpHeaders,
  speedUpRows,
  statisticHeaders,
  statisticRows,
} from './rows.ts'

const columns = 80

/** A benchmark for a terminal. */
export function benchmarkText(benchmark: BenchmarkJson, style: Style): string {
  const head = `${style.bold(printable(benchmark.name))}  benchmark ${benchmark.benchmark_id}`
  const speedUps = speedUpRows(benchmark)
  const notes = benchmarkNotes(benchmark)
  return `${[
    head,
    printable(benchmark.command.join(' ')),
    '',
    ...titled(statisticHeaders, statisticRows(benchmark), style),
    ...(speedUps.length === 0 ? [] : ['', ...titled(speedUpHeaders, speedUps, style)]),
    ...(notes.length === 0 ? [] : ['', ...notes.flatMap((note) => wrapWords(note, columns))]),
  ].join('\n')}\n`
}

/** Two benchmarks for a terminal. */
export function benchmarkComparisonText(comparison: BenchmarkComparisonJson, style: Style): string {
  const [header = '', ...rows] = titled(changeHeaders, changeRows(comparison), style)
  const changes = comparison.cells.flatMap(({ metrics }) => metrics.filter(isWorthShowing))
  const painted = rows.map((row, index) => {
    const change = changes[index]?.change
    return change === 'worse' ? style.red(row) : change === 'better' ? style.green(row) : row
  })
  return `${[
    sideLine('A', comparison.a),
    sideLine('B', comparison.b),
    '',
    header,
    ...painted,
    '',
    ...comparisonNotes(comparison).flatMap((note) => wrapWords(note, columns).map(style.dim)),
  ].join('\n')}\n`
}

/** Without a matrix there is nothing to say in the first column. */
function titled(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  style: Style,
): string[] {
  if (rows.length === 0) return ['No run has succeeded.']
  const from = rows.every(([cell]) => cell === '') ? 1 : 0
  const shown = headers.slice(from).map((header, index) => ({
    header,
    align: index + from < 2 || header === 'Verdict' ? ('left' as const) : ('right' as const),
  }))
  const [header = '', ...lines] = table(
    shown,
    rows.map((row) => row.slice(from)),
  ).split('\n')
  return [style.bold(header), ...lines]
}
