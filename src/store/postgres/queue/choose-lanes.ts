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
  /** At most so many. */
  readonly most: number
  /** What it may take before there is room for it; null for nothing. */
  readonly ahead: RoomAhead | null
}

/** A worker whose jobs are short takes some more, to begin them the moment others end. */
export interface RoomAhead {
  readonly most: number
  /** What is free when the short jobs that it runs have ended: what does not fit then would wait for long. */
  readonly free: Claim
  /** The lanes whose jobs were short on this worker. */
  readonly lanes: ReadonlySet<number>
}

/** Whoever was passed over so often, or waited so long, is kept room for. */
export const mostOvertaken = 32
export const patienceSeconds = 300

/** So exactly is it known when a lane was last served: many short jobs need not write it down each. */
export const servedEverySeconds = 1

export interface Choice {
  /** How many of each lane there is room for. */
  readonly takes: ReadonlyMap<number, number>
  /** How many more of it are taken before there is. */
  readonly takesAhead: ReadonlyMap<number, number>
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
  const [takes, takesAhead] = [new Map<number, number>(), new Map<number, number>()]
  const overtaken = new Map<number, number>()
  let reserves = keptFor(lanes, overtaken, worker.free)
  const used = new Map(lanes.map((lane) => [lane.user, lane.userCores / lane.userWeight]))
  const left = new Map(lanes.map((lane) => [lane.id, lane.queued]))
  let { free } = worker
  let ahead = worker.ahead?.most ?? 0
  for (let taken = 0; reserves === null && taken < worker.most; taken++) {
    const open = lanes.filter(({ id }) => (left.get(id) ?? 0) > 0)
    const fitting = open.filter((lane) => fitsIn(lane, free))
    const isAhead = fitting.length === 0
    const eligible = !isAhead || ahead === 0 ? fitting : open.filter((lane) => isFor(worker, lane))
    const chosen = first(eligible, used)
    if (chosen === undefined) break
    if (isAhead) ahead -= 1
    else free = without(free, chosen)
    count(isAhead ? takesAhead : takes, chosen.id)
    left.set(chosen.id, (left.get(chosen.id) ?? 0) - 1)
    used.set(chosen.user, (used.get(chosen.user) ?? 0) + chosen.cpus / chosen.userWeight)
    for (const lane of open)
      if (!eligible.includes(lane) && isOlder(lane, chosen)) count(overtaken, lane.id)
    const unserved = lanes.filter(({ id }) => !takes.has(id) && !takesAhead.has(id))
    reserves = keptFor(unserved, overtaken, free)
  }
  return { takes, takesAhead, reserves, overtaken }
}

const count = (counts: Map<number, number>, id: number): unknown =>
  counts.set(id, (counts.get(id) ?? 0) + 1)

/** Whether it may be taken before there is room for it. */
const isFor = ({ ahead }: WorkerRoom, lane: WaitingLane): boolean =>
  ahead !== null && ahead.lanes.has(lane.id) && fitsIn(lane, ahead.free)

/** The lane for which nothing else may be taken from now on; null for none. */
function keptFor(
  lanes: readonly WaitingLane[],
  overtaken: ReadonlyMap<number, number>,
  free: Claim,
): number | null {
  const starved = lanes.filter(
    (lane) => isStarved(lane, overtaken.get(lane.id)) && !lane.reservedElsewhere && lane.queued > 0,
  )
  const [worst] = starved.toSorted((one, other) => other.waitedSeconds - one.waitedSeconds)
  return worst === undefined || fitsIn(worst, free) ? null : worst.id
}

const isStarved = ({ waitedSeconds, overtaken }: WaitingLane, more = 0): boolean =>
  waitedSeconds >= patienceSeconds || overtaken + more >= mostOvertaken

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

/** Whether it is passed over where the other one is taken, of which it is not known exactly when it was last served. */
const isOlder = (lane: WaitingLane, chosen: WaitingLane): boolean =>
  lane.priority >= chosen.priority &&
  lane.waitedSeconds + servedEverySeconds >= chosen.waitedSeconds

const without = (room: Claim, taken: Claim): Claim => ({
  cpus: room.cpus - taken.cpus,
  memoryBytes: room.memoryBytes - taken.memoryBytes,
  gpus: room.gpus - taken.gpus,
})
