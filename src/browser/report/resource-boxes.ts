import { count } from '../../model/count.ts'
import type { Box } from '../../analysis/statistics/box.ts'
import type { GroupBoxes } from '../../render/page/resource-figures.ts'
import { ticks } from '../../render/units/ticks.ts'
import { drawn, element } from '../dom.ts'
import { chart, figuresAlong, highestOf, nameLabel, shortenNames, uprights } from './chart.ts'
import { baseOf, titles, valueWords, type View } from './resource-view.ts'
import { indexUnder, tellOf } from './tip.ts'

interface GroupBox {
  readonly group: string
  readonly box: Box
}

interface Frame {
  readonly width: number
  readonly gutter: number
  readonly x: (value: number) => number
}

const mostGroups = 24
const mostOutliers = 100
const [line, bottom, thick] = [30, 24, 7] as const

/** How one resource is spread over the jobs of each group. */
export function resourceBoxes(
  place: HTMLElement,
  groups: readonly GroupBoxes[],
  view: View,
  width: number,
): void {
  const known = groups.flatMap(({ group, ...boxes }) => {
    const box = boxes[view.unit][view.resource]
    return box === undefined ? [] : [{ group, box }]
  })
  const shown = known.slice(0, mostGroups)
  place.hidden = shown.length === 0
  if (place.hidden) return
  const gutter = Math.min(230, Math.floor(width * 0.3))
  const svg = boxChart(shown, view, width, gutter)
  place.replaceChildren(
    svg,
    ...othersNote(known.length - shown.length, groups.length - known.length, view),
  )
  shortenNames(svg, gutter - 16)
}

/** Which groups there are beside those in the chart. */
function othersNote(smaller: number, unknown: number, { unit }: View): HTMLElement[] {
  const why = unit === 'raw' ? 'not measured' : 'without a request, or not measured'
  const words = [
    ...(smaller > 0 ? [count(smaller, 'smaller group')] : []),
    ...(unknown > 0 ? [`${count(unknown, 'group')} ${why}`] : []),
  ]
  return words.length === 0 ? [] : [element('p', { class: 'none' }, `and ${words.join(' and ')}`)]
}

function boxChart(
  groups: readonly GroupBox[],
  view: View,
  width: number,
  gutter: number,
): SVGSVGElement {
  // In percent of the request the request itself, 100, is always in sight.
  const highest = Math.max(view.unit === 'share' ? 100 : 0, ...groups.map(highestIn))
  const most = highest * 1.03 || 1
  const x = (value: number): number => gutter + (value / most) * (width - gutter - 16)
  const height = groups.length * line + bottom
  const wanted = Math.max(3, Math.floor((width - gutter) / 110))
  const marks = ticks(most, wanted, baseOf(view))
  const words = (value: number): string => valueWords(view, value)
  const request = drawn('path', {
    class: 'request',
    d: `M${x(100).toFixed(1)} 0V${height - bottom}`,
  })
  const svg = chart(
    width,
    height,
    `Box plots of ${titles[view.resource]} for ${groups.length} groups of jobs`,
    uprights(marks, x, height - bottom),
    ...(view.unit === 'share' ? [request] : []),
    ...groups.map((each, index) => boxRow(each, index, { width, gutter, x })),
    ...figuresAlong(marks, words, x, width, height - 7),
  )
  tellOf(svg, (event) => {
    const group = groups[indexUnder(event, 'group') ?? -1]
    return group && boxWords(group, words)
  })
  return svg
}

const highestIn = ({ box }: GroupBox): number => Math.max(box.high, highestOf(box.outliers))

function boxRow({ group, box }: GroupBox, index: number, { width, gutter, x }: Frame): SVGGElement {
  const middle = index * line + line / 2
  const at = (value: number): string => x(value).toFixed(1)
  const [low, high] = [at(box.low), at(box.high)]
  return drawn(
    'g',
    { 'data-group': index },
    drawn('rect', { class: 'row', x: 0, y: index * line, width, height: line }),
    nameLabel(gutter - 12, middle, group),
    drawn('path', {
      class: 'whisker',
      d: `M${low} ${middle}H${high}M${low} ${middle - 4}v8M${high} ${middle - 4}v8`,
    }),
    drawn('rect', {
      class: 'box',
      x: x(box.quarter),
      y: middle - thick,
      width: Math.max(1, x(box.threeQuarters) - x(box.quarter)),
      height: thick * 2,
      rx: 2,
    }),
    drawn('path', { class: 'median', d: `M${at(box.median)} ${middle - thick}v${thick * 2}` }),
    ...box.outliers
      .slice(-mostOutliers)
      .map((value) => drawn('circle', { class: 'outlier', cx: at(value), cy: middle, r: 2.2 })),
  )
}

function boxWords({ group, box }: GroupBox, words: (value: number) => string): string[] {
  return [
    group,
    count(box.count, 'job'),
    `median ${words(box.median)}`,
    `half of them from ${words(box.quarter)} to ${words(box.threeQuarters)}`,
    `highest ${words(highestIn({ group, box }))}`,
  ]
}
