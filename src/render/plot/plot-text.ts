import { fitMiddle } from '../text/display-width.ts'
import { distinctNames } from '../text/distinct-names.ts'
import { printable } from '../text/printable.ts'
import { withoutMarkup } from './plot-markup.ts'

/** Names that others gave, as they are. */
export const plotText = (text: string): string => withoutMarkup(printable(text))

/** A name in so many columns, which leaves room for the plot; as text, not for Plotly. */
export const shortName = (text: string, columns: number): string =>
  fitMiddle(printable(text), columns)

export const shortPlotText = (text: string, columns: number): string =>
  plotText(shortName(text, columns))

/** Short names, no two alike: those that have the same name are told apart by their number. As text, not for Plotly. */
export function shortJobNames(
  jobs: readonly { readonly jobId: number; readonly name: string }[],
  columns: number,
): string[] {
  const names = jobs.map(({ name }) => printable(name))
  const short = distinctNames(names, (name) => fitMiddle(name, columns))
  const times = Map.groupBy(short, (name) => name)
  return short.map((name, index) =>
    times.get(name)?.length === 1 ? name : `${jobs[index]?.jobId ?? ''}: ${name}`,
  )
}
