/**
 * Jobs often wait for the same others. Each distinct set is looked at once, so that a barrier between
 * 1,000 and 1,000 jobs costs 2,000 steps and not a million.
 */
export interface DependencySets {
  readonly sets: readonly (readonly number[])[]
  /** The set that each job waits for. */
  readonly setOf: Int32Array
}

/** Sets are told apart by identity: equal lists of two objects are two sets, which only costs time. */
export function dependencySets(dependencies: readonly (readonly number[])[]): DependencySets {
  const ids = new Map<readonly number[], number>()
  const setOf = new Int32Array(dependencies.length)
  dependencies.forEach((list, job) => {
    const id = ids.get(list) ?? ids.size
    ids.set(list, id)
    setOf[job] = id
  })
  return { sets: [...ids.keys()], setOf }
}

export interface Order {
  /** Jobs, each after all that it waits for; those in or behind a cycle are not in it. */
  readonly order: readonly number[]
  /** How many jobs are on the longest way to it; −1 in or behind a cycle. */
  readonly level: Int32Array
}

export function topologicalOrder({ sets, setOf }: DependencySets): Order {
  const level = new Int32Array(setOf.length).fill(-1)
  const waiters = waitersOf({ sets, setOf })
  const setsWith = setsWithJob({ sets, setOf })
  const pending = sets.map((members) => members.length)
  const order: number[] = []
  const release = (set: number): void => {
    const deepest = (sets[set] ?? []).reduce((most, job) => Math.max(most, level[job] ?? 0), -1)
    for (const job of waiters[set] ?? []) {
      level[job] = deepest + 1
      order.push(job)
    }
  }
  pending.forEach((count, set) => {
    if (count === 0) release(set)
  })
  for (let at = 0; at < order.length; at++) {
    for (const set of setsWith[order[at] ?? 0] ?? []) {
      const left = (pending[set] ?? 0) - 1
      pending[set] = left
      if (left === 0) release(set)
    }
  }
  return { order, level }
}

/** The jobs that wait for each set. */
export function waitersOf({ sets, setOf }: DependencySets): number[][] {
  const groups = Array.from({ length: sets.length }, (): number[] => [])
  setOf.forEach((set, job) => groups[set]?.push(job))
  return groups
}

/** The sets that each job is in. */
export function setsWithJob({ sets, setOf }: DependencySets): number[][] {
  const lists = Array.from({ length: setOf.length }, (): number[] => [])
  sets.forEach((members, set) => {
    for (const job of members) lists[job]?.push(set)
  })
  return lists
}
