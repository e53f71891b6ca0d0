import { lineColours, type ColourName } from '../../render/palette.ts'
import type { PlotLayout, PlotTrace } from '../../render/plot/figure.ts'
import { axesOf } from './plotly.ts'

/** Values by their paths, as Plotly takes changes: `line.color`. */
export type Changes = Readonly<Record<string, unknown>>

/** Which colours the reader prefers. */
export const dark = matchMedia('(prefers-color-scheme: dark)')

const darkColours = new Map<string, string>(
  Object.values(lineColours).map((colour) => [colour.light, colour.dark]),
)

/** Figures are made in the colours of a light page; what follows the colour is how much shows through. */
export function inTheme(colour: string): string {
  const known = dark.matches ? darkColours.get(colour.slice(0, 7)) : undefined
  return known === undefined ? colour : known + colour.slice(7)
}

export function traceColours({ line, marker, fillcolor }: PlotTrace): Changes {
  return {
    ...(line && { 'line.color': inTheme(line.color) }),
    ...(marker?.color && { 'marker.color': inTheme(marker.color) }),
    ...(fillcolor && { fillcolor: inTheme(fillcolor) }),
  }
}

/** The page's own colours, which its style sheet has. */
export function layoutColours(layout: PlotLayout): Changes {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: ColourName): string => style.getPropertyValue(`--${name}`).trim()
  const ofAxes = axesOf(layout).map(([name]) => [
    [`${name}.gridcolor`, colour('grid')],
    [`${name}.linecolor`, colour('axis')],
    [`${name}.zeroline`, false],
  ])
  return {
    paper_bgcolor: colour('sheet'),
    plot_bgcolor: colour('sheet'),
    'font.color': colour('ink'),
    'hoverlabel.bgcolor': colour('sheet'),
    'hoverlabel.bordercolor': colour('axis'),
    'hoverlabel.font.color': colour('ink'),
    'modebar.color': colour('quiet'),
    'modebar.activecolor': colour('ink'),
    'modebar.bgcolor': 'rgba(0,0,0,0)',
    ...(Object.fromEntries(ofAxes.flat()) as Changes),
  }
}

/** A copy in which the values stand that the paths lead to. */
export function changed<Whole extends object>(whole: Whole, changes: Changes): Whole {
  const made = { ...whole }
  for (const [path, value] of Object.entries(changes)) {
    const steps = path.split('.')
    const last = steps.pop() ?? ''
    let place = made as Record<string, unknown>
    for (const step of steps) {
      const copy: Record<string, unknown> = { ...(place[step] as object | undefined) }
      place[step] = copy
      place = copy
    }
    place[last] = value
  }
  return made
}
