/** Prints how a figure stands against its target; a missed target makes the benchmark fail. */
export function verdict(what: string, figure: number, target: number, unit: string): void {
  const met = figure <= target
  if (!met) process.exitCode = 1
  const line = `${what}: ${rounded(figure)}${unit}, at most ${target}${unit} wanted`
  console.log(`${met ? 'met   ' : 'MISSED'} ${line}`)
}

export const rounded = (figure: number): number => Number(figure.toPrecision(3))

/** Rows under headings, padded; numbers as the caller rounded them. */
export function printTable(rows: readonly (readonly (string | number)[])[]): void {
  const texts = rows.map((row) => row.map(String))
  const widths =
    texts[0]?.map((_, at) => Math.max(...texts.map((row) => row[at]?.length ?? 0))) ?? []
  for (const row of texts)
    console.log(
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}
