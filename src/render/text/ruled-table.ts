import { displayWidth } from './display-width.ts'
import type { Column } from './table.ts'

/** A table with `|` between its columns and a line under its header. */
export function ruledTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string[] {
  const widths = columns.map(({ header }) => widthOf(header))
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      const width = widthOf(cell)
      if (width > (widths[column] ?? 0)) widths[column] = width
    }
  }
  const rule = widths.map((width, column) => '-'.repeat(width + (column === 0 ? 1 : 2))).join('|')
  const line = (cells: readonly string[]): string => {
    let text = ''
    for (const [column, cell] of cells.entries()) {
      const isLast = column === cells.length - 1
      const missing = ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell)))
      if (columns[column]?.align === 'right') text += missing + cell
      else text += isLast ? cell : cell + missing
      if (!isLast) text += ' | '
    }
    return text
  }
  return [line(columns.map(({ header }) => header)), rule, ...rows.map(line)]
}

/** Nearly every cell is plain, and there may be a million of them. */
const widthOf = (cell: string): number => (/^[ -~]*$/.test(cell) ? cell.length : displayWidth(cell))
