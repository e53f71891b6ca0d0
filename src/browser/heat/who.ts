import type { HeatData } from '../../render/node/heat-data.ts'
import { amountText, levelText, metricWords } from '../../render/node/usage-labels.ts'
import { exactShare, orDash } from '../../render/units/figures.ts'
import { element } from '../dom.ts'
import { rows, type Header } from '../report/table-parts.ts'
import { hasCapacity, type ShownGrid } from './grids.ts'

/** As many as fit below the map. */
const most = 6

/** Who used most. */
export function drawWho(data: HeatData, all: ShownGrid, parts: readonly ShownGrid[]): HTMLElement {
  const by = data.by ?? 'user'
  const headers: Header[] = [
    [by.charAt(0).toUpperCase() + by.slice(1)],
    [metricWords[data.metric].header, 'figure'],
    [hasCapacity(data) ? 'of capacity' : 'mean', 'figure'],
    ['of all use', 'figure'],
  ]
  const whole = all.total.amount
  const lines = parts
    .slice(0, most)
    .map(({ name, total }) => [
      name,
      amountText(data.metric, total.amount),
      orDash(total.level, (level) => levelText(data.metric, level, hasCapacity(data))),
      orDash(total.amount !== null && whole ? total.amount / whole : null, exactShare),
    ])
  const others = parts.length + data.leftOut - lines.length
  return element(
    'section',
    { class: 'who' },
    element(
      'h2',
      {},
      `Most by ${by}`,
      others > 0 ? element('small', {}, ` and ${others} more`) : null,
    ),
    rows(`Who used most, by ${by}`, headers, lines),
  )
}
