import { displayWidth, padEndWidth, padStartWidth } from './display-width.ts'

export interface Column {
  readonly header: string
  /** Numbers read best with their last digits under one another. */
  readonly align: 'left' | 'right'
}

/** Plain text in aligned columns, two spaces apart, without trailing blanks. Cells are one line each. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const headers = columns.map((column) => column.header)
  const all = headers.some((header) => header !== '') ? [headers, ...rows] : rows
  // Not Math.max(...widths): a call takes some 120,000 arguments, and a workflow may have more jobs.
  const widths = columns.map((_, index) =>
    all.reduce((widest, row) => Math.max(widest, displayWidth(row[index] ?? '')), 0),
  )
  const lines = all.map((row) =>
    columns
      .map(({ align }, index) => {
        const pad = align === 'right' ? padStartWidth : padEndWidth
        return pad(row[index] ?? '', widths[index] ?? 0)
      })
      .join('  ')
      .trimEnd(),
  )
  return lines.join('\n')
}
