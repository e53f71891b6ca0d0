import { displayWidth, wrapWords } from '../../text/display-width.ts'
import { fitTable } from '../../text/fit-table.ts'
import type { ScalingJson } from './json.ts'
import {
  foldedShares,
  pointCells,
  pointHeaders,
  scalingSentences,
  shareHeaders,
  shareRows,
} from './rows.ts'
import type { Style } from '../../text/style.ts'

export function scalingText(
  scaling: ScalingJson,
  style: Style,
  width: number | null = null,
): string {
  const wrapped = (sentences: readonly string[]): string[] =>
    sentences.flatMap((sentence) => wrapWords(sentence, 80))
  const ofNode = [shares(scaling, style, width), wrapped(foldedShares(scaling.runs))]
  const answer = [
    scaling.points.length === 0
      ? []
      : headed(pointHeaders, scaling.points.map(pointCells), [], style, null),
    wrapped(scalingSentences(scaling)),
  ]
  // Of one run, nobody asks more than how much of its node it kept busy.
  const blocks = scaling.runs.length > 1 ? [...answer, ...ofNode] : [...ofNode, ...answer]
  const shown = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'))
  return `${shown.join('\n\n')}\n`
}

/** On a narrow terminal verdicts are told without their reasons; whole lines show what belongs together. */
function shares({ runs }: ScalingJson, style: Style, width: number | null): string[] {
  const rows = shareRows(runs)
  if (rows.length === 0) return []
  const whole = headed(shareHeaders, rows, [0, 1, 5], style, null)
  if (width === null || whole.every((line) => displayWidth(line) <= width)) return whole
  const brief = rows.map((row) =>
    row.map((cell, at) => (at === 5 ? cell.replace(/:.*/s, '') : cell)),
  )
  return headed(shareHeaders, brief, [0, 1, 5], style, width)
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
    { name: 'Run', expendable: [] },
    width,
  ).lines
  return [style.bold(head), ...lines]
}
