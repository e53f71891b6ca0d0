import { heatSteps } from '../../analysis/node/heat-map.ts'
import type { HeatData } from '../../render/node/heat-data.ts'
import { edgeText } from '../../render/node/usage-labels.ts'
import { element } from '../dom.ts'
import { hasCapacity, type ShownGrid } from './grids.ts'

/** What the colours mean. */
export function drawScale(data: HeatData, { top, cells }: ShownGrid): HTMLElement {
  const isShare = hasCapacity(data)
  const edge = (step: number): string => edgeText(data.metric, (top * step) / heatSteps, isShare)
  const steps = Array.from({ length: heatSteps }, (_, step) =>
    element('li', { class: `s${step}` }, step === 0 ? `below ${edge(1)}` : `from ${edge(step)}`),
  )
  const isWhole = cells.every(({ level }) => level !== null)
  const unit = isShare ? 'Figures are % of what there was' : 'Figures are % of the highest hour'
  return element(
    'div',
    { class: 'scale' },
    element(
      'ul',
      { 'aria-label': 'Colours' },
      ...steps,
      isWhole ? null : element('li', { class: 'unknown' }, 'nobody looked'),
    ),
    element('p', {}, unit),
  )
}
