import type { WorkflowJob } from '../../model/workflow.ts'

/** A set of jobs that others wait for together. A thousand jobs behind one barrier share one group. */
interface Group {
  readonly members: readonly number[]
  readonly dependents: number[]
}

/**
 * Who waits for whom, by position in the workflow. Jobs with the same dependencies share a group, so that a barrier
 * of 1,000 jobs before 1,000 others is 2,000 entries and not a million edges.
 */
export class DependencyGraph {
  readonly #groups: Group[] = []
  /** The groups that each job is a member of. */
  readonly #groupsOf: number[][]
  /** The group that each job waits for; -1 for none. */
  readonly #waitsFor: number[]

  constructor(jobs: readonly WorkflowJob[]) {
    const positions = new Map(jobs.map((job, position) => [job.name, position]))
    const byList = new Map<readonly string[], number>()
    const byContent = new Map<string, number>()
    this.#groupsOf = jobs.map(() => [])
    this.#waitsFor = jobs.map((job, position) => {
      if (job.dependsOn.length === 0) return -1
      let group = byList.get(job.dependsOn)
      if (group === undefined) {
        const content = job.dependsOn.join('\n')
        group = byContent.get(content) ?? this.#addGroup(job.dependsOn, positions)
        byContent.set(content, group)
        byList.set(job.dependsOn, group)
      }
      this.#groups[group]?.dependents.push(position)
      return group
    })
  }

  get groupCount(): number {
    return this.#groups.length
  }

  /** How many jobs a group has. */
  groupSize(group: number): number {
    return this.#groups[group]?.members.length ?? 0
  }

  groupsOf(position: number): readonly number[] {
    return this.#groupsOf[position] ?? []
  }

  waitsFor(position: number): number {
    return this.#waitsFor[position] ?? -1
  }

  dependents(group: number): readonly number[] {
    return this.#groups[group]?.dependents ?? []
  }

  /** The sum of `weight` along the heaviest path from each job to an end, itself included. */
  longestPaths(weight: (position: number) => number): Float64Array {
    const lengths = new Float64Array(this.#waitsFor.length)
    const left = this.#groups.map((group) => group.members.length)
    const order: number[] = []
    this.#waitsFor.forEach((group, position) => group < 0 && order.push(position))
    for (let next = 0; next < order.length; next++)
      for (const group of this.groupsOf(order[next] ?? 0))
        if (countDown(left, group) === 0) order.push(...this.dependents(group))
    const tails = new Float64Array(this.#groups.length)
    for (const position of order.toReversed()) {
      let tail = 0
      for (const group of this.groupsOf(position)) tail = Math.max(tail, tails[group] ?? 0)
      const length = weight(position) + tail
      lengths[position] = length
      const waits = this.waitsFor(position)
      if (waits >= 0) tails[waits] = Math.max(tails[waits] ?? 0, length)
    }
    return lengths
  }

  #addGroup(names: readonly string[], positions: ReadonlyMap<string, number>): number {
    const index = this.#groups.length
    const members: number[] = []
    for (const name of names) {
      const member = positions.get(name)
      if (member === undefined) continue
      members.push(member)
      this.#groupsOf[member]?.push(index)
    }
    this.#groups.push({ members, dependents: [] })
    return index
  }
}

function countDown(counts: number[], index: number): number {
  const left = (counts[index] ?? 0) - 1
  counts[index] = left
  return left
}
