import { markdownTable, markdownText } from './markdown.ts'
import type { Utilization } from './utilization-json.ts'
import {
  checkCells,
  checkHeaders,
  failureCells,
  failureHeaders,
  findingLine,
  remarks,
} from './utilization-rows.ts'

export function utilizationMarkdown(
  report: Utilization,
  { all }: { readonly all: boolean },
): string {
  const checks = all ? report.checks : report.violations
  const blocks = [[findingLine(report)]]
  if (checks.length > 0) blocks.push(markdownTable(checkHeaders, checks.map(checkCells)))
  if (report.failures.length > 0)
    blocks.push(['Failed jobs:'], markdownTable(failureHeaders, report.failures.map(failureCells)))
  const notes = remarks(report)
  if (notes.length > 0) blocks.push(notes.map(markdownText))
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}
