import type { DependencySets } from '../dependency-sets.ts'

/** When each job would start and end if nothing but its dependencies held it up, in seconds. */
export interface JobTimes {
  readonly start: Float64Array
  readonly finish: Float64Array
  /** How many jobs the chain has that ends with it. */
  readonly chainLength: Int32Array
  /** The dependency that ends last; −1 for a job that waits for none. */
  readonly after: Int32Array
}

export function timesOf(
  { sets, setOf }: DependencySets,
  order: readonly number[],
  runtimes: readonly number[],
): JobTimes {
  const start = new Float64Array(setOf.length)
  const finish = new Float64Array(setOf.length)
  const chainLength = new Int32Array(setOf.length)
  const after = new Int32Array(setOf.length).fill(-1)
  const last = new Map<number, number>()
  for (const job of order) {
    const set = setOf[job] ?? 0
    // Jobs come after all they wait for, so what ends last in a set is known once and for all.
    const latest = last.get(set) ?? latestOf(sets[set] ?? [], finish, chainLength)
    last.set(set, latest)
    start[job] = latest < 0 ? 0 : (finish[latest] ?? 0)
    finish[job] = (start[job] ?? 0) + (runtimes[job] ?? 0)
    chainLength[job] = (chainLength[latest] ?? 0) + 1
    after[job] = latest
  }
  return { start, finish, chainLength, after }
}

/**
 * Of those that end at the same moment it is the one with the longest chain: jobs without a runtime count as 0 s, and
 * otherwise a job that waits for none would be preferred to all that follow it.
 */
function latestOf(jobs: readonly number[], finish: Float64Array, chainLength: Int32Array): number {
  let latest = -1
  for (const job of jobs) {
    const later = (finish[job] ?? 0) - (finish[latest] ?? 0)
    const longer = (chainLength[job] ?? 0) - (chainLength[latest] ?? 0)
    if (latest < 0 || later > 0 || (later === 0 && longer > 0)) latest = job
  }
  return latest
}

/** From the first job to the one that ends last. */
export function criticalPath({ finish, chainLength, after }: JobTimes): number[] {
  const path: number[] = []
  const all = Array.from(finish.keys())
  for (let job = latestOf(all, finish, chainLength); job >= 0; job = after[job] ?? -1)
    path.push(job)
  return path.toReversed()
}
