import { fitsIn, type Claim } from '../../../model/claim.ts'

/** Some jobs that are alike, as a worker sees them that has what they ask for. */
export interface WaitingLane extends Claim {
  readonly id: number
  readonly user: string
  /** Of the first of its jobs. */
  readonly priority: number
  /** Since its first job was queued, or since one of its jobs was last taken. */
  readonly waitedSeconds: number
  /** How many jobs that came later were taken meanwhile, because they were smaller. */
  readonly overtaken: number
  /** Whether another worker keeps room for it. */
  readonly reservedElsewhere: boolean
  /** How many wait, counted up to what a worker may take at once. */
  readonly queued: number
  /** Cores that its user has in use, wherever, and what the user's share is in proportion to those of others. */
  readonly userCores: number
  readonly userWeight: number
}

export interface WorkerRoom {
  readonly free: Claim
  /** How many jobs it may take beyond what is free, because those that it has are short. */
  readonly ahead: number
  /** At most so many. */
  readonly most: number
}

/** Whoever was passed over so often, or waited so long, is kept room for. */
const mostOvertaken = 32
const patienceSeconds = 300

export interface Choice {
  readonly takes: ReadonlyMap<number, number>
  /** For which lane this worker keeps room from now on; null for none. */
  readonly reserves: number | null
  /** How often each lane that waits for room was passed over. */
  readonly overtaken: ReadonlyMap<number, number>
}

/**
 * Which jobs a worker takes. First those that have waited too long; then by priority; among equals the user who has the least
 * cores in use; then who has waited longest. A job that does not fit is passed over by smaller ones, up to a point: then the
 * worker takes nothing until there is room for it. Only one worker does so for a lane.
 */
export function chooseLanes(lanes: readonly WaitingLane[], worker: WorkerRoom): Choice {
  const takes = new Map<number, number>()
  const overtaken = new Map<number, number>()
  const reserved = kept(lanes, worker.free)
  if (reserved !== undefined) return { takes, reserves: reserved.id, overtaken }
  const used = new Map(lanes.map((lane) => [lane.user, lane.userCores / lane.userWeight]))
  let free = worker.free
  let { ahead } = worker
  const left = new Map(lanes.map((lane) => [lane.id, lane.queued]))
  for (let taken = 0; taken < worker.most; taken++) {
    const open = lanes.filter(({ id }) => (left.get(id) ?? 0) > 0)
    const fitting = open.filter((lane) => fitsIn(lane, free))
    const chosen = first(fitting.length > 0 || ahead === 0 ? fitting : open, used)
    if (chosen === undefined) break
    if (fitting.length > 0) free = without(free, chosen)
    else ahead -= 1
    left.set(chosen.id, (left.get(chosen.id) ?? 0) - 1)
    takes.set(chosen.id, (takes.get(chosen.id) ?? 0) + 1)
    used.set(chosen.user, (used.get(chosen.user) ?? 0) + chosen.cpus / chosen.userWeight)
    for (const lane of open)
      if (isPassedOver(lane, chosen, free))
        overtaken.set(lane.id, (overtaken.get(lane.id) ?? 0) + 1)
  }
  return { takes, reserves: null, overtaken }
}

/** The lane for which nothing else may be taken now. */
function kept(lanes: readonly WaitingLane[], free: Claim): WaitingLane | undefined {
  const starved = lanes.filter(
    (lane) => isStarved(lane) && !lane.reservedElsewhere && lane.queued > 0,
  )
  const [worst] = starved.toSorted((one, other) => other.waitedSeconds - one.waitedSeconds)
  return worst === undefined || fitsIn(worst, free) ? undefined : worst
}

const isStarved = ({ waitedSeconds, overtaken }: WaitingLane): boolean =>
  waitedSeconds >= patienceSeconds || overtaken >= mostOvertaken

function first(
  lanes: readonly WaitingLane[],
  used: ReadonlyMap<string, number>,
): WaitingLane | undefined {
  let best: WaitingLane | undefined
  for (const lane of lanes) if (best === undefined || comesBefore(lane, best, used)) best = lane
  return best
}

function comesBefore(
  one: WaitingLane,
  other: WaitingLane,
  used: ReadonlyMap<string, number>,
): boolean {
  if (isStarved(one) !== isStarved(other)) return isStarved(one)
  if (one.priority !== other.priority) return one.priority > other.priority
  const difference = (used.get(one.user) ?? 0) - (used.get(other.user) ?? 0)
  if (difference !== 0) return difference < 0
  return one.waitedSeconds > other.waitedSeconds
}

const isPassedOver = (lane: WaitingLane, chosen: WaitingLane, free: Claim): boolean =>
  lane.id !== chosen.id &&
  lane.priority >= chosen.priority &&
  lane.waitedSeconds >= chosen.waitedSeconds &&
  !fitsIn(lane, free)

const without = (room: Claim, taken: Claim): Claim => ({
  cpus: room.cpus - taken.cpus,
  memoryBytes: room.memoryBytes - taken.memoryBytes,
  gpus: room.gpus - taken.gpus,
})
