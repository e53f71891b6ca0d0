/** A colour of a light page, and the one that stands for it on a dark page. */
interface Colour {
  readonly light: string
  readonly dark: string
}

/** The colours of the pages by what they are for; their style sheets name them the same. */
const pageColours = {
  ink: { light: '#1f2328', dark: '#e7e9ed' },
  quiet: { light: '#59616d', dark: '#a5acb8' },
  paper: { light: '#f7f7f5', dark: '#14171c' },
  card: { light: '#ffffff', dark: '#1b1f26' },
  /** What plots are drawn on. Their lines must stand out from it: palette.test.ts says by how much. */
  sheet: { light: '#ffffff', dark: '#14171c' },
  edge: { light: '#e2e4e8', dark: '#323842' },
  axis: { light: '#d5d9e0', dark: '#353b45' },
  grid: { light: '#eceef1', dark: '#282e37' },
  row: { light: '#f1f3f6', dark: '#232933' },
  accent: { light: '#2b5cbf', dark: '#8ab0ff' },
  memory: { light: '#b4561f', dark: '#e79a6a' },
  bar: { light: '#8fa9d6', dark: '#4c6697' },
  wait: { light: '#d3d7dd', dark: '#3d444f' },
  good: { light: '#176f43', dark: '#6fce9b' },
  bad: { light: '#b8342a', dark: '#ff9a90' },
  warn: { light: '#8a5a00', dark: '#e6b866' },
  'green-fill': { light: '#4a9a6d', dark: '#4f9f74' },
  'red-fill': { light: '#cf5a4f', dark: '#d6675c' },
  'amber-fill': { light: '#d09a35', dark: '#c89a45' },
  /** From nearly empty to full; ink is read on the first three, paper on the last, and on the fourth what is named so. */
  heat0: { light: '#f2f5fb', dark: '#242b37' },
  heat1: { light: '#ccd8f0', dark: '#36425a' },
  heat2: { light: '#a4b9e3', dark: '#4a5c81' },
  heat3: { light: '#7c9ad7', dark: '#6d8ac7' },
  heat4: { light: '#2b5cbf', dark: '#8ab0ff' },
  'heat3-ink': { light: '#1f2328', dark: '#14171c' },
} as const satisfies Readonly<Record<string, Colour>>

/**
 * Colours that people tell apart however they see them, each at least three times as light or dark as the page. Those for a
 * dark page have the same hues. The test says what that means in figures.
 */
export const lineColours = {
  blue: { light: '#1552ba', dark: '#99b1e1' },
  orange: { light: '#b14405', dark: '#f2933c' },
  teal: { light: '#30a1a0', dark: '#2f9591' },
  mauve: { light: '#75506e', dark: '#ffdbfc' },
  green: { light: '#1f3d2a', dark: '#95fc7e' },
  red: { light: '#f76046', dark: '#da4529' },
  violet: { light: '#aa78fb', dark: '#965cdd' },
} as const satisfies Readonly<Record<string, Colour>>

export const palette = { ...pageColours, focus: lineColours.blue } as const

/** What is no line of a job's own, on light and dark pages alike: requests of many jobs, the highest of all. */
export const quietLine = '#7f858f'
/** Marks at a moment, and stretches of time in turn. */
export const markLine = '#888888'
export const phaseShades = ['#8080801a', '#80808005'] as const

export type ColourName = keyof typeof palette

/** `--ink: #1f2328; --paper: …`, as a style sheet declares them. */
export const declared = (names: readonly ColourName[], theme: keyof Colour): string =>
  names.map((name) => `--${name}: ${palette[name][theme]};`).join(' ')
