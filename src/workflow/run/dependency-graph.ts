import type { WorkflowJob } from '../../model/workflow.ts'
import {
  dependencySets,
  setsWithJob,
  topologicalOrder,
  waitersOf,
  type DependencySets,
} from '../dependency-sets.ts'

/** Who waits for whom, by position in the workflow and in groups that are waited for together. */
export class DependencyGraph {
  readonly #sets: DependencySets
  readonly #dependents: readonly (readonly number[])[]
  readonly #groupsOf: readonly (readonly number[])[]

  constructor(jobs: readonly WorkflowJob[]) {
    const positions = new Map(jobs.map((job, position) => [job.name, position]))
    // Lists of names that are one object become lists of positions that are one object.
    const lists = new Map<readonly string[], readonly number[]>()
    const listOf = (names: readonly string[]): readonly number[] => {
      const known = lists.get(names) ?? names.flatMap((name) => positions.get(name) ?? [])
      lists.set(names, known)
      return known
    }
    this.#sets = dependencySets(jobs.map((job) => listOf(job.dependsOn)))
    this.#dependents = waitersOf(this.#sets)
    this.#groupsOf = setsWithJob(this.#sets)
  }

  get groupCount(): number {
    return this.#sets.sets.length
  }

  /** How many jobs a group has. */
  groupSize(group: number): number {
    return this.#sets.sets[group]?.length ?? 0
  }

  /** The groups that a job belongs to. */
  groupsOf(position: number): readonly number[] {
    return this.#groupsOf[position] ?? []
  }

  /** The group that a job waits for; -1 if for none. */
  waitsFor(position: number): number {
    const group = this.#sets.setOf[position] ?? -1
    return this.groupSize(group) === 0 ? -1 : group
  }

  dependents(group: number): readonly number[] {
    return this.#dependents[group] ?? []
  }

  /** The sum of `weight` along the heaviest path from each job to an end, itself included. */
  longestPaths(weight: (position: number) => number): Float64Array {
    const lengths = new Float64Array(this.#groupsOf.length)
    const tails = new Float64Array(this.groupCount)
    for (const position of topologicalOrder(this.#sets).order.toReversed()) {
      let tail = 0
      for (const group of this.groupsOf(position)) tail = Math.max(tail, tails[group] ?? 0)
      const length = weight(position) + tail
      lengths[position] = length
      const waits = this.waitsFor(position)
      if (waits >= 0) tails[waits] = Math.max(tails[waits] ?? 0, length)
    }
    return lengths
  }
}
