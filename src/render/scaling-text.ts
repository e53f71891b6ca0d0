import { wrapWords } from './display-width.ts'
import { fitTable } from './fit-table.ts'
import type { ScalingJson } from './scaling-json.ts'
import {
  pointCells,
  pointHeaders,
  scalingSentences,
  shareHeaders,
  shareRows,
} from './scaling-rows.ts'
import type { Style } from './style.ts'

export function scalingText(
  scaling: ScalingJson,
  style: Style,
  width: number | null = null,
): string {
  const blocks = [
    headed(shareHeaders, shareRows(scaling.runs), [0, 1, 5], style, width),
    scaling.points.length === 0
      ? []
      : headed(pointHeaders, scaling.points.map(pointCells), [], style, null),
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
  width: number | null,
): string[] {
  const columns = headers.map((header, index) => ({
    header,
    align: left.includes(index) ? ('left' as const) : ('right' as const),
  }))
  const [head = '', ...lines] = fitTable(
    columns,
    rows,
    { name: 'Run', expendable: ['Verdict'] },
    width,
  ).text.split('\n')
  return [style.bold(head), ...lines]
}
