import { fitMiddle } from '../text/display-width.ts'
import { printable } from '../text/printable.ts'

/** Plotly reads some HTML in every text, links among it: names that others gave must stay what they are. */
export const plotText = (text: string): string =>
  printable(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A name in so many columns, which leaves room for the plot; as text, not for Plotly. */
export const shortName = (text: string, columns: number): string =>
  fitMiddle(printable(text), columns)

export const shortPlotText = (text: string, columns: number): string =>
  plotText(shortName(text, columns))
