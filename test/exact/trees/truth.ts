import type { FamilyEvent, FamilyLog } from './log.ts'

/** What a family really did, by its own log. */
export interface FamilyTruth {
  readonly cpuSeconds: number
  /** Never less than `certain` at the highest moment, never more than `possible`. */
  readonly memory: { readonly certain: number; readonly possible: number }
  /** The most that can have been there at one moment. */
  readonly mostProcesses: number
  /** The highest that memory, and the number of processes, stood for so long without a break. */
  readonly lasting: (seconds: number) => { readonly memory: number; readonly processes: number }
  readonly stragglers: readonly number[]
}

/** A level that holds from a moment on. */
interface Step {
  readonly atSeconds: number
  readonly level: number
}

/** Freeing memory, and dying, take a while after they were written down. */
const goneAfterSeconds = 0.15

export function truthOf({ events }: FamilyLog): FamilyTruth {
  const certainMemory = steps(memoryChanges(events, 'held', 0))
  const possibleMemory = steps(memoryChanges(events, 'holding', goneAfterSeconds))
  const certainProcesses = steps(processChanges(events, 'started', 0))
  const possibleProcesses = steps(processChanges(events, 'forking', goneAfterSeconds))
  return {
    cpuSeconds:
      sum(
        events.filter(({ kind }) => kind === 'ended' || kind === 'left').map(({ value }) => value),
      ) / 1e9,
    memory: { certain: highest(certainMemory), possible: highest(possibleMemory) },
    mostProcesses: highest(possibleProcesses) + 1,
    lasting: (seconds) => ({
      memory: highestLasting(certainMemory, seconds),
      processes: highestLasting(certainProcesses, seconds),
    }),
    stragglers: events.filter(({ kind }) => kind === 'left').map(({ pid }) => pid),
  }
}

type Change = readonly [atSeconds: number, by: number]

/** A block is there from its first page to when the last of those who share it lets it go. */
function memoryChanges(
  events: readonly FamilyEvent[],
  from: 'holding' | 'held',
  lingerSeconds: number,
): Change[] {
  const holders = new Map<number, number>()
  return events.flatMap(({ kind, atSeconds, block, value }): Change[] => {
    const before = holders.get(block) ?? 0
    if (kind === 'held' || kind === 'shared') holders.set(block, before + 1)
    if (kind === 'dropped') holders.set(block, before - 1)
    if (kind === from) return [[atSeconds, value]]
    return kind === 'dropped' && before === 1 ? [[atSeconds + lingerSeconds, -value]] : []
  })
}

function processChanges(
  events: readonly FamilyEvent[],
  from: 'forking' | 'started',
  lingerSeconds: number,
): Change[] {
  return events.flatMap(({ kind, atSeconds }): Change[] => {
    if (kind === from) return [[atSeconds, 1]]
    return kind === 'ended' ? [[atSeconds + lingerSeconds, -1]] : []
  })
}

function steps(changes: readonly Change[]): Step[] {
  let level = 0
  return changes
    .toSorted(([a], [b]) => a - b)
    .map(([atSeconds, by]) => ({ atSeconds, level: (level += by) }))
}

const highest = (levels: readonly Step[]): number =>
  Math.max(0, ...levels.map(({ level }) => level))

/** The highest level that was not undercut for so long. */
function highestLasting(levels: readonly Step[], seconds: number): number {
  let best = 0
  for (const [index, { atSeconds, level }] of levels.entries()) {
    let least = level
    let next = index + 1
    for (; (levels[next]?.atSeconds ?? Infinity) < atSeconds + seconds; next++)
      least = Math.min(least, levels[next]?.level ?? 0)
    if (next < levels.length) best = Math.max(best, least)
  }
  return best
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
