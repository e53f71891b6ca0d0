/** What Plotly draws, as far as the plots use it: https://plotly.com/javascript/reference */
export interface Figure {
  readonly data: readonly PlotTrace[]
  readonly layout: PlotLayout
  /** The page's own: Plotly's scrolls where it has no room. */
  readonly legend: readonly LegendEntry[]
}

export interface PlotTrace {
  readonly type: 'scatter' | 'bar'
  readonly mode?: 'lines' | 'markers' | 'lines+markers'
  readonly name: string
  readonly x: readonly number[]
  readonly y: readonly (number | null)[]
  readonly yaxis?: string
  readonly width?: number
  readonly line?: TraceLine
  readonly marker?: TraceMarker
  readonly fill?: 'tozeroy'
  readonly fillcolor?: string
  readonly visible?: boolean
  /** From where a line counts when all starts are put on one another, in milliseconds since 1970. */
  readonly meta?: number
  readonly text?: readonly string[]
  readonly textposition?: 'none'
  readonly customdata?: readonly string[]
  readonly hovertemplate?: string
  readonly hoverinfo?: 'skip'
}

export interface TraceLine {
  readonly color: string
  readonly width: number
  readonly shape?: 'hv' | 'linear'
  readonly dash?: LineDash
}

export type LineDash = 'solid' | 'dash' | 'dot'

export interface TraceMarker {
  readonly symbol?: MarkerSymbol | 'line-ew'
  readonly color?: string
  readonly size?: number
  readonly maxdisplayed?: number
  readonly line?: { readonly width: number; readonly color: string }
}

export type MarkerSymbol = 'circle' | 'square' | 'diamond' | 'triangle-up' | 'x' | 'star'

export interface PlotLayout {
  readonly margin: { readonly r: number; readonly t: number }
  readonly hovermode: 'x unified' | 'closest'
  readonly hoversubplots?: 'axis'
  readonly barmode?: 'overlay'
  readonly dragmode?: 'pan'
  readonly shapes?: readonly PlotShape[]
  readonly annotations?: readonly PlotNote[]
  readonly xaxis: PlotAxis
  readonly [axis: `yaxis${string}`]: PlotAxis
}

export interface PlotAxis {
  readonly type?: 'date'
  readonly title?: { readonly text: string; readonly standoff?: number }
  readonly anchor?: string
  readonly domain?: readonly [bottom: number, top: number]
  readonly range?: readonly [from: number, to: number]
  readonly rangemode?: 'tozero'
  readonly hoverformat?: string
  readonly tickvals?: readonly number[]
  readonly ticktext?: readonly string[]
  readonly autotickangles?: readonly number[]
  readonly unifiedhovertitle?: { readonly text: string }
}

export interface PlotShape {
  readonly type: 'rect' | 'line'
  readonly xref: 'x'
  readonly yref: 'paper'
  readonly x0: number
  readonly x1: number
  readonly y0: number
  readonly y1: number
  readonly layer: 'below'
  readonly line: { readonly width: number; readonly color?: string; readonly dash?: LineDash }
  readonly fillcolor?: string
}

export interface PlotNote {
  readonly x: number
  readonly y: number
  readonly yshift: number
  readonly xref: 'x'
  readonly yref: 'paper'
  readonly xanchor: 'left' | 'right'
  readonly yanchor: 'bottom'
  readonly text: string
  readonly showarrow: boolean
  readonly font: { readonly size: number }
}

export interface LegendEntry {
  /** As text, short enough for the legend. */
  readonly name: string
  /** Where that is not all of it. */
  readonly wholeName?: string
  /** Which of the figure's data it switches on and off. */
  readonly traces: readonly number[]
}

/** All that stands in the page of a plot as JSON. */
export interface PlotPage {
  readonly title: string
  readonly note: string
  /** The name of an exported picture, without its ending. */
  readonly pictureName: string
  /** Whether all lines can be made to start at one point. */
  readonly canAlign: boolean
  readonly figure: Figure
}
