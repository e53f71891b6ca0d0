import type { ComparisonJson } from './json.ts'
import { comparisonNotes, metricCells, metricHeaders, setLine } from './rows.ts'
import { markdownTable, markdownText } from '../../text/markdown.ts'

export function comparisonMarkdown(comparison: ComparisonJson): string {
  const lines = [
    `- ${markdownText(setLine('A', comparison.a))}`,
    `- ${markdownText(setLine('B', comparison.b))}`,
    '',
    ...markdownTable(metricHeaders, comparison.metrics.map(metricCells)),
    '',
    ...comparisonNotes(comparison).map(markdownText),
  ]
  return `${lines.join('\n')}\n`
}
