import { stepOf, together, type HeatCell } from '../../analysis/node/heat-map.ts'
import { weekdays } from '../../model/week-time.ts'
import type { HeatData } from '../../render/node/heat-data.ts'
import {
  amountText,
  levelText,
  metricWords,
  shortWeekdays,
} from '../../render/node/usage-labels.ts'
import { orDash, tableSeconds } from '../../render/units/figures.ts'
import { element } from '../dom.ts'
import { hideTip, showTip } from '../report/tip.ts'
import { hasCapacity, type ShownGrid } from './grids.ts'

const two = (hour: number): string => String(hour).padStart(2, '0')
/** Others beside the one that is shown, in what is told of an hour. */
const mostNamed = 4

/** One table, for eyes and screen readers alike: days down, hours across, and the whole day at the end. */
export function drawMap(data: HeatData, grid: ShownGrid, parts: readonly ShownGrid[]): HTMLElement {
  const heads = ['Day', ...Array.from({ length: 24 }, (_, hour) => two(hour)), 'all day']
  const lines = shortWeekdays.map((name, day) => {
    const cells = grid.cells.slice(24 * day, 24 * day + 24)
    const whole = together(cells, hasCapacity(data))
    return element(
      'tr',
      { role: 'row' },
      element('th', { scope: 'row', role: 'rowheader' }, name),
      ...cells.map((cell, hour) => cellOf(data, grid, cell, 24 * day + hour, parts)),
      element('td', { role: 'cell', class: 'mean' }, levelOf(data, whole)),
    )
  })
  return element(
    'table',
    { role: 'table' },
    element('caption', {}, `${grid.name}: how full each hour of the week was`),
    element(
      'thead',
      { role: 'rowgroup' },
      element(
        'tr',
        { role: 'row' },
        ...heads.map((text) => element('th', { scope: 'col', role: 'columnheader' }, text)),
      ),
    ),
    element('tbody', { role: 'rowgroup' }, ...lines),
  )
}

const levelOf = (data: HeatData, { level }: HeatCell): string =>
  orDash(level, (value) => levelText(data.metric, value, hasCapacity(data)))

function cellOf(
  data: HeatData,
  grid: ShownGrid,
  cell: HeatCell,
  hour: number,
  parts: readonly ShownGrid[],
): HTMLElement {
  const tell = (event: MouseEvent): void => showTip(event, linesOf(data, grid, hour, parts))
  const { level } = cell
  const place = {
    role: 'cell',
    'data-hour': hour,
    onpointermove: (event: Event) => tell(event as MouseEvent),
    onpointerleave: hideTip,
  }
  if (level === null) return element('td', { ...place, class: 'unknown' }, '–')
  return element('td', { ...place, class: `s${stepOf(level, grid.top)}` }, short(data, level, grid))
}

/** Whole percents; of what has no capacity, percents of the highest. */
const short = (data: HeatData, level: number, { top }: ShownGrid): string =>
  String(Math.round(100 * (hasCapacity(data) ? level : level / (top || 1))))

/** What is told of an hour: how full it was, of how much, and by whom. */
function linesOf(
  data: HeatData,
  grid: ShownGrid,
  hour: number,
  parts: readonly ShownGrid[],
): string[] {
  const from = hour % 24
  const title = `${weekdays[Math.floor(hour / 24)] ?? ''} ${two(from)}:00–${two(from + 1)}:00`
  const cell = grid.cells[hour]
  if (cell === undefined || cell.level === null) return [title, 'Nobody looked at this hour.']
  const used = amountText(data.metric, cell.amount)
  const of = hasCapacity(data) ? ` of ${amountText(data.metric, cell.capacity)}` : ''
  return [
    `${title}, ${grid.name}: ${levelOf(data, cell)}`,
    `${used}${of} ${metricWords[data.metric].unit}`.trim(),
    `hosts were looked at for ${tableSeconds(cell.observedSeconds)}`,
    ...parts
      .filter((part) => (part.cells[hour]?.amount ?? 0) > 0 && part !== grid)
      .toSorted((a, b) => (b.cells[hour]?.amount ?? 0) - (a.cells[hour]?.amount ?? 0))
      .slice(0, mostNamed)
      .map((part) => `${part.name} ${amountText(data.metric, part.cells[hour]?.amount ?? null)}`),
  ]
}
