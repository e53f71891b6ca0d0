import { markdownTable, markdownText } from '../../text/markdown.ts'
import type { ScalingJson } from './json.ts'
import {
  foldedShares,
  pointCells,
  pointHeaders,
  scalingSentences,
  shareHeaders,
  shareRows,
} from './rows.ts'

export function scalingMarkdown(scaling: ScalingJson): string {
  const listed = (sentences: readonly string[]): string[] =>
    sentences.map((sentence) => `- ${markdownText(sentence)}`)
  const rows = shareRows(scaling.runs)
  const ofNode = [
    rows.length === 0 ? [] : markdownTable(shareHeaders, rows),
    listed(foldedShares(scaling.runs)),
  ]
  const answer = [
    scaling.points.length === 0 ? [] : markdownTable(pointHeaders, scaling.points.map(pointCells)),
    listed(scalingSentences(scaling)),
  ]
  const blocks = scaling.runs.length > 1 ? [...answer, ...ofNode] : [...ofNode, ...answer]
  const shown = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'))
  return `${shown.join('\n\n')}\n`
}
