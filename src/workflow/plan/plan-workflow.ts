import type { Plan, PlannedJob } from '../../model/plan.ts'
import type { Workflow, WorkflowJob } from '../../model/workflow.ts'
import { dependencySets, topologicalOrder, type DependencySets } from '../dependency-sets.ts'
import { misfitsOf, type Capacity } from '../run/capacity.ts'
import { criticalPath, timesOf } from './critical-path.ts'
import { cpusOf, peakByRuntimes, peakByStages } from './peak.ts'

/**
 * What a workflow would do, and with a capacity also what of it could never start there. A workflow has no cycles: its
 * file would have been refused.
 */
export function planWorkflow(workflow: Workflow, capacity: Capacity | null = null): Plan {
  const { jobs } = workflow
  const sets = dependencySets(positionsOf(jobs))
  const { order, level } = topologicalOrder(sets)
  const runtimes = jobs.map(({ requirements }) => requirements.runtimeSeconds ?? 0)
  const times = timesOf(sets, order, runtimes)
  const stages = stagesOf(level)
  const withoutRuntime = jobs.filter(({ requirements }) => requirements.runtimeSeconds === null)
  const isTimeless = withoutRuntime.length === jobs.length
  const names = jobs.map(({ name }) => name)
  const nameOf = (job: number): string => names[job] ?? ''
  return {
    name: workflow.name,
    jobs: jobs.map(toPlanned),
    stages: stages.map((stage) => stage.map(nameOf)),
    critical_path: criticalPath(times).map(nameOf),
    critical_path_seconds: isTimeless
      ? null
      : times.finish.reduce((latest, each) => Math.max(latest, each), 0),
    jobs_without_runtime: withoutRuntime.length,
    peak: withoutRuntime.length === 0 ? peakByRuntimes(jobs, times) : peakByStages(jobs, stages),
    totals: {
      jobs: jobs.length,
      stages: stages.length,
      dependencies: countPairs(sets),
      core_seconds: jobs.reduce((sum, job, index) => sum + cpusOf(job) * (runtimes[index] ?? 0), 0),
    },
    does_not_fit: capacity === null ? [] : misfitsOf(jobs, capacity),
  }
}

/** The lists of names as lists of positions; what was one list stays one. */
function positionsOf(jobs: readonly WorkflowJob[]): readonly (readonly number[])[] {
  const positions = new Map(jobs.map(({ name }, index) => [name, index]))
  const known = new Map<readonly string[], readonly number[]>()
  return jobs.map(({ dependsOn }) => {
    const found = known.get(dependsOn)
    if (found !== undefined) return found
    const indices = dependsOn.flatMap((name) => positions.get(name) ?? [])
    known.set(dependsOn, indices)
    return indices
  })
}

function stagesOf(level: Int32Array): number[][] {
  const stages: number[][] = []
  level.forEach((depth, job) => {
    const stage = stages[depth]
    if (stage === undefined) stages[depth] = [job]
    else stage.push(job)
  })
  return stages
}

const countPairs = ({ sets, setOf }: DependencySets): number =>
  setOf.reduce((count, set) => count + (sets[set]?.length ?? 0), 0)

const toPlanned = ({
  name,
  command,
  dependsOn,
  requirements,
  container,
}: WorkflowJob): PlannedJob => ({
  name,
  command,
  depends_on: dependsOn,
  resource_requirements: {
    cpus: requirements.cpus,
    memory_bytes: requirements.memoryBytes,
    gpus: requirements.gpus,
    runtime_seconds: requirements.runtimeSeconds,
  },
  container:
    container === undefined ? null : { image: container.image, runtime: container.runtime },
})
