import type { PlotAxis, PlotLayout, PlotNote, PlotTrace } from '../../render/plot/figure.ts'
import { byId } from '../dom.ts'

/** What the script before this one leaves behind, as far as it is used: https://plotly.com/javascript */
export interface Plotly {
  newPlot(place: HTMLElement, data: object[], layout: object, config: object): Promise<PlotElement>
  restyle(place: PlotElement, changes: object, traces: readonly number[]): Promise<PlotElement>
  relayout(place: PlotElement, changes: object): Promise<PlotElement>
  update(
    place: PlotElement,
    changes: object,
    layoutChanges: object,
    traces: readonly number[],
  ): Promise<PlotElement>
  redraw(place: PlotElement): Promise<PlotElement>
  downloadImage(figure: { data: object[]; layout: object }, options: object): Promise<string>
  readonly Plots: { resize(place: PlotElement): void }
}

/** The place of the plot, once it is drawn. */
export interface PlotElement extends HTMLElement {
  /** As it is drawn now: Plotly changes these itself. */
  readonly data: PlotTrace[]
  readonly layout: PlotLayout & { readonly annotations?: readonly PlotNote[] }
  on(event: 'plotly_afterplot', listener: () => void): void
}

export type AxisName = Extract<keyof PlotLayout, 'xaxis' | `yaxis${string}`>

/** All axes of a figure. */
export const axesOf = (layout: PlotLayout): [AxisName, PlotAxis][] =>
  Object.entries(layout).filter((entry): entry is [AxisName, PlotAxis] =>
    /^[xy]axis/.test(entry[0]),
  )

/** Undefined where the file beside the page, in which it is, was left behind. */
export const plotly = (): Plotly | undefined => (globalThis as { Plotly?: Plotly }).Plotly

/** Only what was drawn is a plot. */
export const plotPlace = (): PlotElement => byId('plot') as PlotElement
