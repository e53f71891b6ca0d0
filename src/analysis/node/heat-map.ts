import type { UsageTable } from '../../model/node-usage.ts'

const hoursOfWeek = 168

/** One hour of the week, over all weeks that were asked for. */
export interface HeatCell {
  /** How long hosts were looked at in it; 0 is "nothing is known". */
  readonly observedSeconds: number
  readonly amount: number | null
  readonly capacity: number | null
  /** Share of the capacity; of what has none, the amount in a second of one host. Null is "not known". */
  readonly level: number | null
}

export interface HeatGrid {
  /** Of whom; '' where that is nobody's name, and null for all together. */
  readonly name: string | null
  /** By the hour of the week, Monday at midnight first. */
  readonly cells: readonly HeatCell[]
  readonly total: HeatCell
}

/** When hosts are full, and who fills them. */
export interface HeatMap {
  readonly all: HeatGrid
  /** Those who used most first. */
  readonly parts: readonly HeatGrid[]
  /** What the colours reach up to. */
  readonly top: number
  readonly hasCapacity: boolean
  /** Whether each part has a capacity of its own. */
  readonly isByHost: boolean
}

type Room = Pick<HeatCell, 'observedSeconds' | 'capacity'>

/** Of a table by `hour-of-week`, and by whom or by what beside it if that was asked for. */
export function heatMap(usage: UsageTable): HeatMap {
  const hasCapacity = usage.capacity !== null && usage.capacity > 0
  const everywhere = roomsOf(usage, null)
  // A host has what it has; users, commands and accounts have all that there is.
  const isByHost = usage.room.some(({ keys }) => keys.length > 1)
  const gridOf = (name: string | null, amounts: ReadonlyMap<number, number>): HeatGrid => {
    const rooms = name !== null && isByHost ? roomsOf(usage, name) : everywhere
    // Where it was looked at and nobody is named, nobody used anything; unless it was never measured.
    const unused = usage.total === null ? null : 0
    const used = rooms.map(
      ({ observedSeconds }, hour) => amounts.get(hour) ?? (observedSeconds > 0 ? unused : null),
    )
    return heatGrid(name, used, rooms, hasCapacity)
  }
  const parts = [...amountsByName(usage)].map(([name, amounts]) => gridOf(name, amounts))
  const all = gridOf(null, sumByHour(usage))
  return {
    all,
    parts: parts.toSorted((a, b) => (b.total.amount ?? 0) - (a.total.amount ?? 0)),
    top: topOf(all.cells, hasCapacity),
    hasCapacity,
    isByHost,
  }
}

/** What there was in each hour, on one host or on all of them. */
function roomsOf({ room }: UsageTable, host: string | null): Room[] {
  const rooms: Room[] = Array.from({ length: hoursOfWeek }, () => ({
    observedSeconds: 0,
    capacity: null,
  }))
  for (const { keys, capacity, observedSeconds } of room) {
    const hour = Number(keys[0])
    const known = rooms[hour]
    if (known === undefined || (host !== null && keys[1] !== host)) continue
    rooms[hour] = {
      observedSeconds: known.observedSeconds + observedSeconds,
      capacity: capacity === null ? known.capacity : (known.capacity ?? 0) + capacity,
    }
  }
  return rooms
}

/** A map of amounts by the hour of the week. */
export function heatGrid(
  name: string | null,
  amounts: readonly (number | null)[],
  rooms: readonly Room[],
  hasCapacity: boolean,
): HeatGrid {
  const cells = rooms.map(({ capacity, observedSeconds }, hour) =>
    cell(amounts[hour] ?? null, capacity, observedSeconds, hasCapacity),
  )
  return { name, cells, total: together(cells, hasCapacity) }
}

function cell(
  amount: number | null,
  capacity: number | null,
  observedSeconds: number,
  hasCapacity: boolean,
): HeatCell {
  const whole = hasCapacity ? capacity : observedSeconds
  return {
    amount,
    capacity,
    observedSeconds,
    level: amount === null || !whole ? null : amount / whole,
  }
}

/** Several hours as one: what was used of what there was. */
export function together(cells: readonly HeatCell[], hasCapacity: boolean): HeatCell {
  const sum = (pick: (one: HeatCell) => number | null): number | null =>
    cells.reduce<number | null>((total, one) => {
      const value = pick(one)
      return value === null ? total : (total ?? 0) + value
    }, null)
  return cell(
    sum(({ amount }) => amount),
    sum(({ capacity }) => capacity),
    sum(({ observedSeconds }) => observedSeconds) ?? 0,
    hasCapacity,
  )
}

function sumByHour({ rows }: UsageTable): ReadonlyMap<number, number> {
  const sums = new Map<number, number>()
  for (const { keys, amount } of rows)
    if (amount !== null) sums.set(Number(keys[0]), (sums.get(Number(keys[0])) ?? 0) + amount)
  return sums
}

function amountsByName({ rows }: UsageTable): ReadonlyMap<string, ReadonlyMap<number, number>> {
  const names = new Map<string, Map<number, number>>()
  for (const { keys, amount } of rows) {
    const name = keys[1]
    if (name === undefined || amount === null) continue
    const known = names.get(String(name)) ?? new Map<number, number>()
    names.set(String(name), known.set(Number(keys[0]), amount))
  }
  return names
}

/** The colours of a machine that is never fuller than 8 % would all be one if they reached up to 100 %. */
const tops = [0.05, 0.1, 0.25, 0.5, 1]

export function topOf(cells: readonly HeatCell[], hasCapacity: boolean): number {
  const most = Math.max(0, ...cells.map(({ level }) => level ?? 0))
  return hasCapacity ? (tops.find((top) => top >= most) ?? 1) : most
}

/** Steps of the colours, each a fifth of what they reach up to. */
export const heatSteps = 5

export const stepOf = (level: number, top: number): number =>
  top > 0 ? Math.max(0, Math.min(heatSteps - 1, Math.floor((heatSteps * level) / top))) : 0
