import { printable } from '../../text/printable.ts'
import { ruledTable } from '../../text/ruled-table.ts'
import type { Style } from '../../text/style.ts'
import type { Utilization } from '../../../analysis/workflow/utilization.ts'
import {
  checkCells,
  checkColumns,
  failureCells,
  failureColumns,
  findingLine,
  remarks,
} from './rows.ts'

/** The report for people: what is over its request, or with `all` everything. */
export function utilizationText(
  report: Utilization,
  style: Style,
  { all }: { readonly all: boolean },
): string {
  const checks = all ? report.checks : report.violations
  const blocks: string[][] = []
  if (!all || checks.length === 0) {
    const paint = report.violations.length > 0 ? style.yellow : style.bold
    blocks.push([paint(findingLine(report))])
  }
  if (checks.length > 0) {
    const rows = checks.map((check) => checkCells(check).map(printable))
    blocks.push(ruledTable(checkColumns, rows))
  }
  if (report.failures.length > 0) {
    const rows = report.failures.map((failed) => failureCells(failed).map(printable))
    blocks.push([style.bold('Failed jobs:')], ruledTable(failureColumns, rows))
  }
  const notes = remarks(report)
  if (!all && report.checks.length > report.violations.length)
    notes.unshift('Note: Use --all to see all jobs, including those that stayed within limits')
  if (notes.length > 0) blocks.push(notes)
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`
}
