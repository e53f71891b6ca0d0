import { dependencySets, topologicalOrder } from '../dependency-sets.ts'
import type { Problems } from './problem.ts'
import type { Resolved } from './resolve.ts'

/** One cycle hides others; more than a few of them help nobody. */
const mostReported = 10

/** Names each cycle as a whole, with what links every step, at the first of its jobs in the file. */
export function reportCycles(resolved: Resolved, problems: Problems): void {
  const dependencies = resolved.jobs.map(({ dependsOn }) => dependsOn)
  const { level } = topologicalOrder(dependencySets(dependencies))
  const open = new Set<number>()
  level.forEach((depth, job) => {
    if (depth < 0) open.add(job)
  })
  for (let reported = 0; reported < mostReported; reported++) {
    const cycle = findCycle(dependencies, open)
    if (cycle === null) return
    for (const job of cycle) open.delete(job)
    reportCycle(cycle, resolved, problems)
  }
}

/** Walks from job to dependency within `open`; what leads nowhere is closed on the way. */
function findCycle(
  dependencies: readonly (readonly number[])[],
  open: Set<number>,
): readonly number[] | null {
  const trail: number[] = []
  const at = new Map<number, number>()
  for (;;) {
    const job = trail.at(-1) ?? open.values().next().value
    if (job === undefined) return null
    if (trail.length === 0) enter(job, trail, at)
    const next = dependencies[job]?.find((dependency) => open.has(dependency))
    if (next === undefined) {
      open.delete(job)
      at.delete(job)
      trail.pop()
      continue
    }
    const start = at.get(next)
    if (start !== undefined) return trail.slice(start)
    enter(next, trail, at)
  }
}

function enter(job: number, trail: number[], at: Map<number, number>): void {
  at.set(job, trail.length)
  trail.push(job)
}

function reportCycle(cycle: readonly number[], resolved: Resolved, problems: Problems): void {
  const first = cycle.indexOf(Math.min(...cycle))
  const turned = [...cycle.slice(first), ...cycle.slice(0, first)]
  const steps = turned.map((job, index) => {
    const next = turned[(index + 1) % turned.length] ?? job
    return { job, next, link: resolved.why(job, next) }
  })
  const name = (job: number): string => JSON.stringify(resolved.jobIndex.names[job])
  const [start] = steps
  if (start === undefined) return
  const told = steps.map(({ next, link }) => `waits for ${name(next)} (${link.words})`)
  const path = resolved.jobs[start.job]?.expanded.source.path ?? []
  problems.atValue(
    [...path, start.link.key],
    `a cycle: ${name(start.job)} ${told.join(', which ')}`,
  )
}
