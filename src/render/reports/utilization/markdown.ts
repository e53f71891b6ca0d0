import { markdownTable, markdownText } from '../../text/markdown.ts'
import type { Column } from '../../text/table.ts'
import type { Utilization } from '../../../analysis/workflow/utilization.ts'
import {
  checkCells,
  checkColumns,
  failureCells,
  failureColumns,
  findingLine,
  remarks,
} from './rows.ts'

export function utilizationMarkdown(
  report: Utilization,
  { all }: { readonly all: boolean },
): string {
  const checks = all ? report.checks : report.violations
  const blocks = [[findingLine(report)]]
  if (checks.length > 0) blocks.push(markdownTable(headersOf(checkColumns), checks.map(checkCells)))
  if (report.failures.length > 0)
    blocks.push(
      ['Failed jobs:'],
      markdownTable(headersOf(failureColumns), report.failures.map(failureCells)),
    )
  const notes = remarks(report)
  if (notes.length > 0) blocks.push(notes.map(markdownText))
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

const headersOf = (columns: readonly Column[]): string[] => columns.map(({ header }) => header)
