import type { ComparisonJson } from './json.ts'
import { comparisonNotes, metricRows, metricHeaders, setLine } from './rows.ts'
import { markdownTable, markdownText } from '../../text/markdown.ts'

export function comparisonMarkdown(comparison: ComparisonJson): string {
  const lines = [
    `- ${markdownText(setLine('A', comparison.a))}`,
    `- ${markdownText(setLine('B', comparison.b))}`,
    '',
    ...markdownTable(metricHeaders, metricRows(comparison)),
    '',
    ...comparisonNotes(comparison).map(markdownText),
  ]
  return `${lines.join('\n')}\n`
}
