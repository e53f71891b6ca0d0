import { printable } from '../../text/printable.ts'
import type { Recommendation } from '../../../analysis/sizing/recommendation.ts'
import { adviceRows } from './json.ts'
import { adviceCells, adviceColumns, summary } from './rows.ts'
import type { Style } from '../../text/style.ts'
import { table } from '../../text/table.ts'

export function recommendationText(recommendation: Recommendation, style: Style): string {
  const rows = adviceRows(recommendation)
  const notes = summary(recommendation)
  if (rows.length === 0) return `${notes.join('\n')}\n`
  const [header = '', ...lines] = table(
    adviceColumns,
    rows.map((row) => adviceCells(row).map(printable)),
  ).split('\n')
  return `${[style.bold(header), ...lines, '', ...notes].join('\n')}\n`
}
