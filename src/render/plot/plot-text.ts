import { fitMiddle } from '../text/display-width.ts'
import { printable } from '../text/printable.ts'
import { withoutMarkup } from './plot-markup.ts'

/** Names that others gave, as they are. */
export const plotText = (text: string): string => withoutMarkup(printable(text))

/** A name in so many columns, which leaves room for the plot; as text, not for Plotly. */
export const shortName = (text: string, columns: number): string =>
  fitMiddle(printable(text), columns)

export const shortPlotText = (text: string, columns: number): string =>
  plotText(shortName(text, columns))
