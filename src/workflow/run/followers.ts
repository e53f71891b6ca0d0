import type { WorkflowJob } from '../../model/workflow.ts'
import { DependencyGraph } from './dependency-graph.ts'

/** Adds to a set of jobs, by position, all that come after any of them. */
export function addFollowers(jobs: readonly WorkflowJob[], positions: Set<number>): void {
  if (positions.size === 0) return
  const graph = new DependencyGraph(jobs)
  const pending = [...positions]
  for (let position = pending.pop(); position !== undefined; position = pending.pop())
    for (const group of graph.groupsOf(position))
      for (const dependent of graph.dependents(group)) {
        if (positions.has(dependent)) continue
        positions.add(dependent)
        pending.push(dependent)
      }
}
