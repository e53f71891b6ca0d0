import type { CostReport } from '../../../analysis/cost/cost-report.ts'
import { wrapWords } from '../../text/display-width.ts'
import { printable } from '../../text/printable.ts'
import type { Style } from '../../text/style.ts'
import { table } from '../../text/table.ts'
import { costHeaders, costRows, costSentences } from './rows.ts'

export function costText(report: CostReport, style: Style): string {
  const columns = costHeaders(report).map((header, index) => ({
    header,
    align: index === 0 ? ('left' as const) : ('right' as const),
  }))
  const rows = costRows(report).map((row) => row.map(printable))
  const [head = '', ...lines] = table(columns, rows).split('\n')
  const sentences = costSentences(report).flatMap((sentence) => wrapWords(printable(sentence), 80))
  const blocks = [[style.bold(head), ...lines], sentences].filter((block) => block.length > 0)
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`
}
