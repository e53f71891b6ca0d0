import type { HeatGrid, HeatMap } from '../../analysis/node/heat-map.ts'
import type { UsageKey, UsageMetric } from '../../model/node-usage.ts'
import { orDash, tableSeconds } from '../units/figures.ts'
import { shortTime, type Zone } from '../units/zoned-time.ts'
import { levelText } from './usage-labels.ts'

/** What the page of a heat map is drawn from. */
export interface HeatData {
  readonly metric: UsageMetric
  /** What single maps are of; null where there are none. */
  readonly by: UsageKey | null
  readonly facts: readonly (readonly [name: string, fact: string])[]
  readonly made: string
  /** By the hour of the week; 0 is "nobody looked". */
  readonly observedSeconds: readonly number[]
  readonly capacity: readonly (number | null)[]
  /** Of all together. */
  readonly amounts: readonly (number | null)[]
  readonly parts: readonly HeatPart[]
  /** How many others there are, who used less. */
  readonly leftOut: number
}

export interface HeatPart {
  readonly name: string
  readonly amounts: readonly (number | null)[]
  /** Of a host; others have what all have. */
  readonly observedSeconds?: readonly number[]
  readonly capacity?: readonly (number | null)[]
}

/** More are of no use in a list to choose from. */
const mostParts = 50

export function heatData(
  { all, parts, isByHost }: HeatMap,
  view: Pick<HeatData, 'metric' | 'by' | 'facts' | 'made'>,
): HeatData {
  return {
    ...view,
    ...roomsIn(all),
    amounts: all.cells.map((cell) => cell.amount),
    parts: parts.slice(0, mostParts).map(({ name, cells }) => ({
      name: name ?? '',
      amounts: cells.map((cell) => cell.amount),
      ...(isByHost ? roomsIn({ cells }) : {}),
    })),
    leftOut: Math.max(0, parts.length - mostParts),
  }
}

interface HeatTime {
  readonly metric: UsageMetric
  readonly from: number
  readonly to: number
  readonly zone: Zone
}

/** What is said above a map: how full it was in all, and of what time it is. */
export function heatFacts(
  { all, hasCapacity }: HeatMap,
  { metric, from, to, zone }: HeatTime,
): HeatData['facts'] {
  const level = orDash(all.total.level, (one) => levelText(metric, one, hasCapacity))
  return [
    [hasCapacity ? 'Used of what there was' : 'Mean of a host', level],
    ['Looked at', `${tableSeconds(all.total.observedSeconds)} of hosts`],
    ['Time', `${shortTime(from, zone)} to ${shortTime(to, zone)}`],
  ]
}

const roomsIn = ({ cells }: Pick<HeatGrid, 'cells'>) => ({
  observedSeconds: cells.map((cell) => Math.round(cell.observedSeconds)),
  capacity: cells.map((cell) => cell.capacity),
})
