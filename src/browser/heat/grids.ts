import { heatGrid, topOf, type HeatGrid } from '../../analysis/node/heat-map.ts'
import type { HeatData, HeatPart } from '../../render/node/heat-data.ts'

/** A map of one, or of all together, with its name and what its colours reach up to. */
export interface ShownGrid extends Pick<HeatGrid, 'cells' | 'total'> {
  readonly name: string
  readonly top: number
}

export const hasCapacity = ({ capacity }: HeatData): boolean =>
  capacity.some((one) => one !== null && one > 0)

export function gridsOf(data: HeatData): { all: ShownGrid; parts: ShownGrid[] } {
  const isShare = hasCapacity(data)
  const shown = (name: string, part: Shown): ShownGrid => {
    const { observedSeconds = data.observedSeconds, capacity = data.capacity } = part
    const rooms = observedSeconds.map((seconds, hour) => ({
      observedSeconds: seconds,
      capacity: capacity[hour] ?? null,
    }))
    const { cells, total } = heatGrid(name, part.amounts, rooms, isShare)
    return { name, cells, total, top: topOf(cells, isShare) }
  }
  return {
    all: shown('All', data),
    parts: data.parts.map((part) => shown(part.name === '' ? '(none)' : part.name, part)),
  }
}

type Shown = Omit<HeatPart, 'name'>
