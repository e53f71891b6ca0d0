import {
  heatSteps,
  stepOf,
  together,
  type HeatCell,
  type HeatGrid,
  type HeatMap,
} from '../../analysis/node/heat-map.ts'
import type { UsageMetric } from '../../model/node-usage.ts'
import { orDash } from '../units/figures.ts'
import { printable } from '../text/printable.ts'
import type { Style } from '../text/style.ts'
import { edgeText, levelText, shortWeekdays } from './usage-labels.ts'

/** From nearly empty to full; they tell one step from another without any colour. */
const blocks = ['·', '░', '▒', '▓', '█'] as const
const colours = ['dim', 'cyan', 'green', 'yellow', 'red'] as const
/** Time in which nobody looked, or in which the metric was not measured. */
const noData = '?'

const hours = Array.from({ length: 24 }, (_, hour) => hour)
const labelWidth = 5
const wideMap = 60

export interface HeatView {
  readonly metric: UsageMetric
  readonly style: Style
  /** Of the terminal; null where nothing needs to fit. */
  readonly width: number | null
  /** Maps of single users, hosts, commands or accounts to show: those that used most. */
  readonly most: number
}

/** Hours across, days down: for a terminal. */
export function heatText(map: HeatMap, view: HeatView): string {
  const grids = [map.all, ...map.parts.slice(0, view.most)]
  const shown = grids.map((grid) => gridLines(grid, map, view).join('\n'))
  const left = map.parts.length - view.most
  const more =
    left > 0 && view.most > 0 ? [`${left} more used less; --limit shows more of them.`] : []
  return `${[...shown, legend(map, view), ...more].join('\n\n')}\n`
}

function gridLines(grid: HeatGrid, map: HeatMap, view: HeatView): string[] {
  const cellWidth = view.width !== null && view.width < wideMap ? 1 : 2
  const level = ({ level: value }: HeatCell): string =>
    orDash(value, (one) => levelText(view.metric, one, map.hasCapacity))
  const title = grid.name === null ? 'All' : printable(grid.name === '' ? '(none)' : grid.name)
  const axis = hours
    .filter((hour) => hour % 3 === 0)
    .map((hour) =>
      String(hour)
        .padStart(2, '0')
        .padEnd(3 * cellWidth),
    )
  const indent = ' '.repeat(labelWidth)
  return [
    `${view.style.bold(title)}: ${level(grid.total)}`,
    `${indent}${axis.join('')}`.trimEnd(),
    ...shortWeekdays.map((day, at) => {
      const row = grid.cells.slice(24 * at, 24 * at + 24)
      const drawn = row.map((one) => block(one, map, view.style, cellWidth)).join('')
      return `${day.padEnd(labelWidth)}${drawn}  ${level(together(row, map.hasCapacity))}`
    }),
  ]
}

function block({ level }: HeatCell, { top }: HeatMap, style: Style, width: number): string {
  if (level === null) return noData.padEnd(width)
  const step = stepOf(level, top)
  return style[colours[step] ?? 'dim']((blocks[step] ?? noData).repeat(width))
}

function legend({ top, hasCapacity, all }: HeatMap, { metric, style }: HeatView): string {
  const edge = (step: number): string => edgeText(metric, (top * step) / heatSteps, hasCapacity)
  const steps = blocks.map(
    (mark, step) =>
      `${style[colours[step] ?? 'dim'](mark.repeat(2))} ${step === 0 ? `below ${edge(1)}` : `${edge(step)} +`}`,
  )
  const what = hasCapacity ? 'Used of what there was' : 'Mean of a host'
  const isKnown = all.cells.every(({ level }) => level !== null)
  return `${what}:\n${[...steps, ...(isKnown ? [] : [`${noData} not observed`])].join('   ')}`
}
