import { displayWidth, fitMiddle } from './display-width.ts'
import { tableLines, type Column } from './table.ts'

/** Names that are shorter than this say nothing any more. */
const leastNameWidth = 16
const gapWidth = 2

/** What may give way where a terminal is narrow, by the headers of its columns. */
export interface Fit {
  readonly name: string
  /** What can be done without, the first first. */
  readonly expendable: readonly string[]
}

export interface FittedTable {
  readonly lines: Iterable<string>
  /** The headers of the columns that there was no room for. */
  readonly leftOut: readonly string[]
}

/** A table in so many columns of a terminal: names are shortened first. Without a width it is left as it is. */
export function fitTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { name, expendable }: Fit,
  width: number | null,
): FittedTable {
  if (width === null) return { lines: tableLines(columns, rows), leftOut: [] }
  const widths = columns.map(({ header }, at) =>
    rows.reduce((most, row) => Math.max(most, displayWidth(row[at] ?? '')), displayWidth(header)),
  )
  const at = columns.findIndex(({ header }) => header === name)
  const leastName = Math.min(leastNameWidth, widths[at] ?? 0)
  const kept = new Set(columns.keys())
  const others = (): number =>
    [...kept].reduce(
      (sum, index) => sum + gapWidth + (index === at ? 0 : (widths[index] ?? 0)),
      0,
    ) - gapWidth
  const leftOut: string[] = []
  for (const header of expendable) {
    if (others() + leastName <= width) break
    kept.delete(columns.findIndex((column) => column.header === header))
    leftOut.push(header)
  }
  const nameWidth = Math.max(leastName, width - others())
  const shown = [...kept]
  const lines = tableLines(
    shown.flatMap((index) => columns[index] ?? []),
    rows.map((row) =>
      shown.map((index) =>
        index === at ? fitMiddle(row[index] ?? '', nameWidth) : (row[index] ?? ''),
      ),
    ),
  )
  return { lines, leftOut }
}
