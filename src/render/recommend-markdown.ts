import { markdownTable, markdownText } from './markdown.ts'
import { adviceRows, type Recommendation } from './recommend-json.ts'
import { adviceCells, adviceColumns, summary } from './recommend-rows.ts'

export function recommendationMarkdown(recommendation: Recommendation): string {
  const headers = adviceColumns.map(({ header }) => header)
  const rows = adviceRows(recommendation)
  const lines = rows.length === 0 ? [] : [...markdownTable(headers, rows.map(adviceCells)), '']
  return `${[...lines, ...summary(recommendation).map(markdownText)].join('\n')}\n`
}
