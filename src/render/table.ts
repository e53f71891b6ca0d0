import { displayWidth } from './display-width.ts'

export interface Column {
  readonly header: string
  /** Numbers read best with their last digits under one another. */
  readonly align: 'left' | 'right'
}

/** Plain text in aligned columns, two spaces apart, without trailing blanks. Cells are one line each. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const headers = columns.map((column) => column.header)
  const all = headers.some((header) => header !== '') ? [headers, ...rows] : rows
  // A table of 100,000 rows has a million cells: each is measured once.
  const cellWidths = new Int32Array(all.length * columns.length)
  const columnWidths = new Int32Array(columns.length)
  all.forEach((row, line) => {
    columns.forEach((_, index) => {
      const width = displayWidth(row[index] ?? '')
      cellWidths[line * columns.length + index] = width
      columnWidths[index] = Math.max(columnWidths[index] ?? 0, width)
    })
  })
  const lines = all.map((row, line) => {
    let text = ''
    columns.forEach(({ align }, index) => {
      const cell = row[index] ?? ''
      const width = cellWidths[line * columns.length + index] ?? 0
      const blanks = ' '.repeat((columnWidths[index] ?? 0) - width)
      text += (index === 0 ? '' : gap) + (align === 'right' ? blanks + cell : cell + blanks)
    })
    return text.trimEnd()
  })
  return lines.join('\n')
}

const gap = '  '
