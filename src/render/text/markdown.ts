import { printable } from './printable.ts'

/** A table of Markdown; whatever would end a cell or begin markup is escaped. */
export function markdownTable(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const cells = (row: readonly string[]): string => line(row.map(markdownText))
  return [cells(headers), line(headers.map(() => '---')), ...rows.map(cells)]
}

export const markdownText = (text: string): string =>
  printable(text).replace(/[\\|*_`<>[\]#~]/g, String.raw`\$&`)
