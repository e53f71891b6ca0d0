import type { DependencySets } from '../dependency-sets.ts'

/** When each job would start and end if nothing but its dependencies held it up, in seconds. */
export interface JobTimes {
  readonly start: Float64Array
  readonly finish: Float64Array
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
  const after = new Int32Array(setOf.length).fill(-1)
  const last = new Map<number, number>()
  for (const job of order) {
    const set = setOf[job] ?? 0
    // Jobs come after all they wait for, so what ends last in a set is known once and for all.
    const latest = last.get(set) ?? latestOf(sets[set] ?? [], finish)
    last.set(set, latest)
    start[job] = latest < 0 ? 0 : (finish[latest] ?? 0)
    finish[job] = (start[job] ?? 0) + (runtimes[job] ?? 0)
    after[job] = latest
  }
  return { start, finish, after }
}

function latestOf(jobs: readonly number[], finish: Float64Array): number {
  let latest = -1
  for (const job of jobs) {
    if (latest < 0 || (finish[job] ?? 0) > (finish[latest] ?? 0)) latest = job
  }
  return latest
}

/** From the first job to the one that ends last. */
export function criticalPath({ finish, after }: JobTimes): number[] {
  const path: number[] = []
  const all = Array.from(finish.keys())
  for (let job = latestOf(all, finish); job >= 0; job = after[job] ?? -1) path.push(job)
  return path.toReversed()
}
