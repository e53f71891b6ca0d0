import { lineColours } from '../palette.ts'
import type { LineDash, MarkerSymbol } from './figure.ts'

const colours = Object.values(lineColours)
const dashes: readonly LineDash[] = ['solid', 'dash', 'dot']
const symbols: readonly (MarkerSymbol | null)[] = [
  null,
  'circle',
  'square',
  'diamond',
  'triangle-up',
  'x',
  'star',
]

export interface LineStyle {
  readonly colour: string
  readonly dash: LineDash
  readonly symbol: MarkerSymbol | null
}

/** Each line its own colour; then its own dashes too; then its own marks: 147 styles before one comes again. */
export function lineStyle(index: number): LineStyle {
  const round = Math.floor(index / colours.length)
  return {
    colour: nth(colours, index).light,
    dash: nth(dashes, round),
    symbol: nth(symbols, Math.floor(round / dashes.length)),
  }
}

const nth = <T>(list: readonly [T, ...T[]] | readonly T[], index: number): T =>
  list[index % list.length] as T
