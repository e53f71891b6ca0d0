import type { ReportJob } from '../../render/page/report-content.ts'
import { ticks } from '../../render/units/ticks.ts'
import { drawn, element } from '../dom.ts'
import { chart, highestOf, label, levels, shortenNames } from './chart.ts'
import { baseOf, requestOf, titles, valueOf, valueWords, type View } from './resource-view.ts'
import { tellOf } from './tip.ts'

/** A job with its place in the chart. */
interface Bar {
  readonly job: ReportJob
  readonly value: number
  readonly request: number | null
  /** Where its room begins. */
  readonly from: number
}

const left = 72

/** One resource of every job, the largest first, each with its request. */
export function resourceBars(
  place: HTMLElement,
  jobs: readonly ReportJob[],
  view: View,
  width: number,
): void {
  const known = jobs
    .flatMap((job) => {
      const value = valueOf(job, view)
      return value === null ? [] : [{ job, value, request: requestOf(job, view) }]
    })
    .toSorted((a, b) => b.value - a.value)
  if (known.length === 0) {
    const why =
      view.unit === 'raw' ? 'Not measured.' : 'No job asked for any, or none was measured.'
    place.replaceChildren(element('p', { class: 'none' }, why))
    return
  }
  const step = Math.min((width - left - 8) / known.length, 150)
  const bars = known.map((each, index) => ({ ...each, from: left + index * step }))
  const svg = barChart(bars, view, width, step)
  tellOf(svg, (event) => {
    const at = event.clientX - svg.getBoundingClientRect().left - left
    const bar = bars[Math.floor(at / step)]
    return bar && barWords(bar.job, view)
  })
  place.replaceChildren(svg)
  shortenNames(svg, step - 8)
}

function barChart(bars: readonly Bar[], view: View, width: number, step: number): SVGSVGElement {
  const isNamed = step > 80
  const [height, bottom] = isNamed ? [250, 28] : [230, 8]
  const highest = highestOf(bars.map(({ value, request }) => Math.max(value, request ?? 0))) || 1
  const y = (value: number): number =>
    8 + (1 - Math.min(1, value / (highest * 1.04))) * (height - bottom - 8)
  // A bar as wide as the page would say nothing.
  const gap = isNamed ? step - 48 : step > 6 ? step * 0.22 : step > 3 ? 0.6 : 0
  const ground = y(0).toFixed(1)
  const barPath = ({ value, from }: Bar): string =>
    `M${(from + gap / 2).toFixed(2)} ${ground}V${y(value).toFixed(1)}h${Math.max(0.4, step - gap).toFixed(2)}V${ground}z`
  const [askedFrom, askedWide] = isNamed ? [gap / 2 - 6, step - gap + 12] : [0, step]
  const askedPath = ({ request, from }: Bar): string =>
    request === null
      ? ''
      : `M${(from + askedFrom).toFixed(2)} ${y(request).toFixed(1)}h${askedWide.toFixed(2)}`
  const isOver = ({ job }: Bar): boolean => (job.use[view.resource].share ?? 0) > 100
  const path = (name: string, some: readonly Bar[], part: (bar: Bar) => string): SVGPathElement =>
    drawn('path', { class: name, d: some.map(part).join('') })
  const words = (value: number): string => valueWords(view, value)
  const range = `${words(bars[0]?.value ?? 0)} to ${words(bars.at(-1)?.value ?? 0)}`
  const names = bars.map(({ job, from }) =>
    label(from + 0.5 * step, height - 8, job.name, { class: 'name', 'text-anchor': 'middle' }),
  )
  return chart(
    width,
    height,
    `${titles[view.resource]} of ${bars.length} jobs, from ${range}`,
    ...levels(ticks(highest, 5, baseOf(view)), y, words, [left, width - 8]),
    path(
      'ran',
      bars.filter((bar) => !isOver(bar)),
      barPath,
    ),
    path('failed', bars.filter(isOver), barPath),
    path('asked', bars, askedPath),
    ...(isNamed ? names : []),
  )
}

function barWords({ name, use }: ReportJob, { resource }: View): string[] {
  const { text, mean, requestText, share } = use[resource]
  const used = share === null ? '' : `: ${Math.round(share)}% used`
  return [
    name,
    mean === null ? text : `${text}, mean ${mean}`,
    requestText === null ? 'no request' : `asked for ${requestText}${used}`,
  ]
}
