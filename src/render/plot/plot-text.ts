import { printable } from '../printable.ts'

/** Plotly reads some HTML in every text, links among it: names that others gave must stay what they are. */
export const plotText = (text: string): string =>
  printable(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A name that leaves room for the plot. */
export function shortPlotText(text: string, length: number): string {
  const characters = Array.from(text)
  return plotText(
    characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`,
  )
}
