import type { Plan } from '../../model/plan.ts'

export interface PlanGraph {
  /** One for each job, by its position. */
  readonly jobs: readonly string[]
  /** Points that gather what several jobs wait for together. */
  readonly gates: number
  readonly edges: readonly (readonly [from: string, to: string])[]
}

/**
 * Draws an arrow from each job to those that wait for it. Where jobs share a long list, the arrows meet
 * in one point: 1,000 jobs before 1,000 others are 2,000 arrows so, and a million otherwise.
 */
export function planGraph(plan: Plan): PlanGraph {
  const ids = new Map(plan.jobs.map(({ name }, index) => [name, `job${index}`]))
  const waiters = new Map<readonly string[], string[]>()
  for (const { name, depends_on: list } of plan.jobs) {
    if (list.length === 0) continue
    const known = waiters.get(list)
    if (known === undefined) waiters.set(list, [name])
    else known.push(name)
  }
  const edges: (readonly [string, string])[] = []
  let gates = 0
  const id = (name: string): string => ids.get(name) ?? name
  for (const [list, names] of waiters) {
    const isCheaper = list.length * names.length > list.length + names.length
    const gate = `gate${gates}`
    if (isCheaper) {
      gates += 1
      for (const from of list) edges.push([id(from), gate])
      for (const to of names) edges.push([gate, id(to)])
    } else for (const from of list) for (const to of names) edges.push([id(from), id(to)])
  }
  return { jobs: plan.jobs.map(({ name }) => name), gates, edges }
}
