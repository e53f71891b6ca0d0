import type { PlotAxis, PlotLayout } from './figure.ts'

/** A strip of a plot with an axis of its own; all strips share the axis below. */
export interface Strip {
  readonly title: string
  /** Of the height, in proportion to the others. */
  readonly share: number
}

const gap = 0.035

/** How a trace names the axis of a strip. */
export const axisName = (index: number): string => (index === 0 ? 'y' : `y${index + 1}`)

/** The axes of strips, the first at the top, over one common axis. */
export function stackedAxes(
  strips: readonly Strip[],
  xaxis: PlotAxis,
): Pick<PlotLayout, 'xaxis' | `yaxis${string}`> {
  const shares = strips.reduce((sum, { share }) => sum + share, 0)
  const room = 1 - gap * (strips.length - 1)
  let top = 1
  const layout: Record<`yaxis${string}`, PlotAxis> = {}
  strips.forEach(({ title, share }, index) => {
    const bottom = Math.max(0, top - (share / shares) * room)
    layout[`yaxis${index === 0 ? '' : index + 1}`] = {
      title: { text: title, standoff: 8 },
      domain: [bottom, top],
      rangemode: 'tozero',
      hoverformat: ',.3~f',
    }
    top = bottom - gap
  })
  return { ...layout, xaxis: { ...xaxis, anchor: axisName(strips.length - 1) } }
}
