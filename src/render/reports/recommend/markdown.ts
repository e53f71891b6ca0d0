import { markdownTable, markdownText } from '../../text/markdown.ts'
import type { Recommendation } from '../../../analysis/sizing/recommendation.ts'
import { adviceRows } from './json.ts'
import { adviceCells, adviceColumns, summary } from './rows.ts'

export function recommendationMarkdown(recommendation: Recommendation): string {
  const headers = adviceColumns.map(({ header }) => header)
  const rows = adviceRows(recommendation)
  const lines = rows.length === 0 ? [] : [...markdownTable(headers, rows.map(adviceCells)), '']
  return `${[...lines, ...summary(recommendation).map(markdownText)].join('\n')}\n`
}
