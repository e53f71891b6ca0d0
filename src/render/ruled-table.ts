import { displayWidth } from './display-width.ts'

/**
 * A table with `|` between its columns and a line under its header. What stands in parentheses at the end of
 * a cell hangs over the edge of its column, as in `800% (8 cores)`: a remark must not widen the column.
 */
export function ruledTable(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  const widths = headers.map(widthOf)
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      const width = widthOf(withoutRemark(cell))
      if (width > (widths[column] ?? 0)) widths[column] = width
    }
  }
  const rule = widths.map((width, column) => '-'.repeat(width + (column === 0 ? 1 : 2))).join('|')
  const line = (cells: readonly string[]): string => {
    let text = ''
    for (const [column, cell] of cells.entries()) {
      const isLast = column === cells.length - 1
      const missing = isLast ? 0 : Math.max(0, (widths[column] ?? 0) - widthOf(cell))
      text += cell + ' '.repeat(missing) + (isLast ? '' : ' | ')
    }
    return text
  }
  return [line(headers), rule, ...rows.map(line)]
}

const withoutRemark = (cell: string): string =>
  cell.endsWith(')') ? cell.replace(/ \([^()]*\)$/, '') : cell

/** Nearly every cell is plain, and there may be a million of them. */
const widthOf = (cell: string): number => (/^[ -~]*$/.test(cell) ? cell.length : displayWidth(cell))
