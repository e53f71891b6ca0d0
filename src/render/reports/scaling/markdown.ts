import { markdownTable, markdownText } from '../../text/markdown.ts'
import type { ScalingJson } from './json.ts'
import { pointCells, pointHeaders, scalingSentences, shareHeaders, shareRows } from './rows.ts'

export function scalingMarkdown(scaling: ScalingJson): string {
  const blocks = [
    markdownTable(shareHeaders, shareRows(scaling.runs)),
    scaling.points.length === 0 ? [] : markdownTable(pointHeaders, scaling.points.map(pointCells)),
    scalingSentences(scaling).map((sentence) => `- ${markdownText(sentence)}`),
  ]
  const shown = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'))
  return `${shown.join('\n\n')}\n`
}
