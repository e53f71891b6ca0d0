type Cell = string | number | null

/**
 * Lines of comma-separated values, quoted as RFC 4180 says; null is an empty cell. Lines end in a
 * bare newline, because `cut` and `awk` would see a carriage return as part of the last column.
 */
export function csv(lines: Iterable<readonly Cell[]>): string {
  let text = ''
  for (const line of lines) text += `${line.map(cell).join(',')}\n`
  return text
}

function cell(value: Cell): string {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
