import { wrapWords } from './display-width.ts'
import type { ScalingJson } from './scaling-json.ts'
import {
  pointCells,
  pointHeaders,
  scalingSentences,
  shareHeaders,
  shareRows,
} from './scaling-rows.ts'
import type { Style } from './style.ts'
import { table } from './table.ts'

export function scalingText(scaling: ScalingJson, style: Style): string {
  const blocks = [
    headed(shareHeaders, shareRows(scaling.runs), [0, 1, 5], style),
    scaling.points.length === 0
      ? []
      : headed(pointHeaders, scaling.points.map(pointCells), [], style),
    scalingSentences(scaling).flatMap((sentence) => wrapWords(sentence, 80)),
  ]
  const shown = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'))
  return `${shown.join('\n\n')}\n`
}

function headed(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  left: readonly number[],
  style: Style,
): string[] {
  const columns = headers.map((header, index) => ({
    header,
    align: left.includes(index) ? ('left' as const) : ('right' as const),
  }))
  const [head = '', ...lines] = table(columns, rows).split('\n')
  return [style.bold(head), ...lines]
}
