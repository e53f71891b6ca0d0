type Cell = string | number | null

/**
 * Lines of comma-separated values, quoted as RFC 4180 says; null is an empty cell. Lines end in a
 * bare newline, because `cut` and `awk` would see a carriage return as part of the last column.
 */
export function csv(lines: Iterable<readonly Cell[]>): string {
  let text = ''
  for (const line of lines) text += csvLine(line)
  return text
}

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cell).join(',')}\n`

/** What a spreadsheet takes for the start of a formula; some take the wide forms of Japanese for them too. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/
/** `-3.2`, `+12.5%`, `-1.5 GB`: a number, and a unit at most, calls nothing. */
const number = /^[-+]\d[\d.,]*(?:e[-+]?\d+)?(?: ?[A-Za-z%]{1,7})?$/i

/** A name such as `=HYPERLINK(…)` must not run when the file is opened: the apostrophe makes it text, and is not shown. */
const defused = (text: string): string =>
  formula.test(text) && !number.test(text) ? `'${text}` : text

function cell(value: Cell): string {
  if (typeof value === 'number') return String(value)
  const text = defused(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
