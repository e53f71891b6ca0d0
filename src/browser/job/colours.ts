import { lineColours, palette } from '../../render/palette.ts'

export type Theme = 'light' | 'dark'

type LineName = keyof typeof lineColours

/** What a column shows has the same colour in every chart; the first of these that its name has counts. */
const byMeaning: readonly (readonly [part: string, colour: LineName])[] = [
  ['thread_0', 'blue'],
  ['thread_1', 'orange'],
  ['thread_2', 'teal'],
  // Before those that are part of their names.
  ['num_processes', 'violet'],
  ['num_threads', 'teal'],
  ['memory', 'orange'],
  ['io_pressure', 'teal'],
  ['cpu', 'blue'],
  ['utilization', 'blue'],
  ['read', 'blue'],
  ['received', 'blue'],
  ['write', 'orange'],
  ['sent', 'orange'],
  ['power', 'teal'],
]

export function seriesColour(name: string, theme: Theme): string {
  const [, colour] = byMeaning.find(([part]) => name.includes(part)) ?? ['', 'mauve' as const]
  return lineColours[colour][theme]
}

/** What is drawn around the lines. */
export const inkOf = (theme: Theme) => ({
  ink: palette.ink[theme],
  quiet: palette.quiet[theme],
  grid: palette.grid[theme],
  axis: palette.axis[theme],
})
