import { markdownTable, markdownText } from '../text/markdown.ts'
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

export function benchmarkMarkdown(
  benchmark: BenchmarkJson,
  comparison: BenchmarkComparisonJson | null,
): string {
  const speedUps = speedUpRows(benchmark)
  const notes = benchmarkNotes(benchmark)
  return `${[
    `# Benchmark ${benchmark.benchmark_id}: ${markdownText(benchmark.name)}`,
    '',
    `Command: ${markdownText(benchmark.command.join(' '))}`,
    '',
    ...markdownTable(statisticHeaders, statisticRows(benchmark)),
    ...(speedUps.length === 0
      ? []
      : ['', '## Speed-up', '', ...markdownTable(speedUpHeaders, speedUps)]),
    ...(notes.length === 0 ? [] : ['', ...notes.map((note) => `- ${markdownText(note)}`)]),
    ...(comparison === null ? [] : ['', '## Comparison', '', ...comparisonLines(comparison)]),
  ].join('\n')}\n`
}

export const benchmarkComparisonMarkdown = (comparison: BenchmarkComparisonJson): string =>
  `${comparisonLines(comparison).join('\n')}\n`

const comparisonLines = (comparison: BenchmarkComparisonJson): string[] => [
  `- ${markdownText(sideLine('A', comparison.a))}`,
  `- ${markdownText(sideLine('B', comparison.b))}`,
  '',
  ...markdownTable(changeHeaders, changeRows(comparison)),
  '',
  ...comparisonNotes(comparison).map(markdownText),
]
