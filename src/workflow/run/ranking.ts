import type { JobSortMethod, WorkflowJob } from '../../model/workflow.ts'
import type { DependencyGraph } from './dependency-graph.ts'

/** What a job without a requested runtime counts as, to compare paths: their number of jobs then decides. */
const assumedSeconds = 60

/**
 * The order in which ready jobs go: by priority, then as `jobs_sort_method` says, then those with the longest way
 * still before them, then as the file has them. Answers each job's rank; lower goes first.
 */
export function rankJobs(
  jobs: readonly WorkflowJob[],
  graph: DependencyGraph,
  method: JobSortMethod,
): Uint32Array {
  const paths = graph.longestPaths(
    (position) => jobs[position]?.requirements.runtimeSeconds ?? assumedSeconds,
  )
  const keys = jobs.map((job, position) => [
    job.priority,
    ...methodKeys(job, method),
    paths[position] ?? 0,
  ])
  const order = jobs.map((_, position) => position)
  order.sort((a, b) => compareKeys(keys[b] ?? [], keys[a] ?? []) || a - b)
  const ranks = new Uint32Array(jobs.length)
  order.forEach((position, rank) => (ranks[position] = rank))
  return ranks
}

function methodKeys({ requirements }: WorkflowJob, method: JobSortMethod): number[] {
  const gpus = requirements.gpus ?? 0
  const runtime = requirements.runtimeSeconds ?? 0
  const memory = requirements.memoryBytes ?? 0
  switch (method) {
    case 'none':
      return []
    case 'gpus_runtime_memory':
      return [gpus, runtime, memory]
    case 'gpus_memory_runtime':
      return [gpus, memory, runtime]
  }
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < a.length; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
