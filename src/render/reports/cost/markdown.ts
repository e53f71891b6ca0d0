import type { CostReport } from '../../../analysis/cost/cost-report.ts'
import { markdownTable, markdownText } from '../../text/markdown.ts'
import { costHeaders, costRows, costSentences } from './rows.ts'

export function costMarkdown(report: CostReport): string {
  const blocks = [
    markdownTable(costHeaders(report), costRows(report)),
    costSentences(report).map((sentence) => `- ${markdownText(sentence)}`),
  ].filter((lines) => lines.length > 0)
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}
