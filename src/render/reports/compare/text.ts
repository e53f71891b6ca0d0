import type { ComparisonJson } from './json.ts'
import { comparisonNotes, metricRows, metricHeaders, setLine } from './rows.ts'
import { wrapWords } from '../../text/display-width.ts'
import type { Style } from '../../text/style.ts'
import { table } from '../../text/table.ts'

export function comparisonText(comparison: ComparisonJson, style: Style): string {
  const columns = metricHeaders.map((header, index) => ({
    header,
    align:
      index === 0 || index === metricHeaders.length - 1 ? ('left' as const) : ('right' as const),
  }))
  const [header = '', ...rows] = table(columns, metricRows(comparison)).split('\n')
  const painted = rows.map((row, index) => {
    const difference = comparison.metrics[index]?.difference
    if (difference === 'worse') return style.red(row)
    return difference === 'better' ? style.green(row) : row
  })
  const lines = [
    setLine('A', comparison.a),
    setLine('B', comparison.b),
    '',
    style.bold(header),
    ...painted,
    '',
    ...comparisonNotes(comparison).flatMap((note) => wrapWords(note, 80).map(style.dim)),
  ]
  return `${lines.join('\n')}\n`
}
