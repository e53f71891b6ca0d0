import { displayWidth } from './display-width.ts'

export interface Column {
  readonly header: string
  /** Numbers read best with their last digits under one another. */
  readonly align: 'left' | 'right'
}

/** Plain text in aligned columns, two spaces apart, without trailing blanks. Cells are one line each. */
export const table = (columns: readonly Column[], rows: readonly (readonly string[])[]): string =>
  [...tableLines(columns, rows)].join('\n')

/** Its lines one by one: those of a long table are never all held at once. */
export function* tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): Generator<string> {
  const headers = columns.map((column) => column.header)
  const all = headers.some((header) => header !== '') ? [headers, ...rows] : rows
  // A table of 100,000 rows has a million cells: each is measured once, and no closure is made for it.
  const count = columns.length
  const cellWidths = new Int32Array(all.length * count)
  const columnWidths = new Int32Array(count)
  for (const [line, row] of all.entries())
    for (let index = 0; index < count; index++) {
      const width = displayWidth(row[index] ?? '')
      cellWidths[line * count + index] = width
      if (width > (columnWidths[index] ?? 0)) columnWidths[index] = width
    }
  const blanks = Array.from({ length: Math.max(0, ...columnWidths) + 1 }, (_, width) =>
    ' '.repeat(width),
  )
  for (const [line, row] of all.entries()) {
    let text = ''
    for (let index = 0; index < count; index++) {
      const cell = row[index] ?? ''
      const room = (columnWidths[index] ?? 0) - (cellWidths[line * count + index] ?? 0)
      const blank = blanks[room] ?? ''
      if (index > 0) text += gap
      text += columns[index]?.align === 'right' ? blank + cell : cell + blank
    }
    yield text.trimEnd()
  }
}

const gap = '  '
