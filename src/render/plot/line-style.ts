interface PlotColour {
  readonly light: string
  readonly dark: string
}

/**
 * Colours that people tell apart however they see them, each at least three times as light or dark as the page. Those for a
 * dark page have the same hues. The test says what that means in figures.
 */
export const plotColours = {
  blue: { light: '#1552ba', dark: '#99b1e1' },
  orange: { light: '#b14405', dark: '#f2933c' },
  teal: { light: '#30a1a0', dark: '#2f9591' },
  mauve: { light: '#75506e', dark: '#ffdbfc' },
  green: { light: '#1f3d2a', dark: '#95fc7e' },
  red: { light: '#f76046', dark: '#da4529' },
  violet: { light: '#aa78fb', dark: '#965cdd' },
} as const satisfies Readonly<Record<string, PlotColour>>

/** What is no line of a job's own: requests of many jobs, the highest of all. */
export const quietColour = '#7f858f'

const colours = Object.values(plotColours)
const dashes = ['solid', 'dash', 'dot'] as const
const symbols = [null, 'circle', 'square', 'diamond', 'triangle-up', 'x', 'star'] as const

export interface LineStyle {
  readonly colour: string
  readonly dash: (typeof dashes)[number]
  readonly symbol: (typeof symbols)[number]
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
