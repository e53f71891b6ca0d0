import { displayWidth, padEndWidth } from './display-width.ts'

/**
 * A table with `|` between its columns and a line under its header. What stands in parentheses at the end of
 * a cell hangs over the edge of its column, as in `800% (8 cores)`: a remark must not widen the column.
 */
export function ruledTable(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  const widths = headers.map((header, column) =>
    rows.reduce(
      (width, row) => Math.max(width, displayWidth(withoutRemark(row[column] ?? ''))),
      displayWidth(header),
    ),
  )
  const rule = widths.map((width, column) => '-'.repeat(width + (column === 0 ? 1 : 2))).join('|')
  const line = (cells: readonly string[]): string =>
    widths
      .map((width, column) => padEndWidth(cells[column] ?? '', width))
      .join(' | ')
      .trimEnd()
  return [line(headers), rule, ...rows.map(line)]
}

const withoutRemark = (cell: string): string => cell.replace(/ \([^()]*\)$/, '')
