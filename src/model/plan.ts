import type { ContainerRuntime } from './workflow.ts'

/** What a workflow would do, before it does anything. Its keys are those of the JSON output. */
export interface Plan {
  readonly name: string
  /** In the order of the file. */
  readonly jobs: readonly PlannedJob[]
  /** Jobs that wait for none, then those that wait only for these, and so on. */
  readonly stages: readonly (readonly string[])[]
  /**
   * The chain of jobs that takes longest by requested runtime; a job without one counts as 0. Of chains that take equally
   * long, the one with the most jobs.
   */
  readonly critical_path: readonly string[]
  /** null where no job asks for a runtime. */
  readonly critical_path_seconds: number | null
  /** As long as this is not 0, the critical path is only as good as the requests there are. */
  readonly jobs_without_runtime: number
  readonly peak: PlanPeak
  readonly totals: PlanTotals
  /** What could never start here; empty where that was not asked. */
  readonly does_not_fit: readonly Misfit[]
}

/** A request for more than the runner may use at all. */
export interface Misfit {
  readonly job: string
  readonly resource: 'cpus' | 'memory_bytes' | 'gpus'
  readonly requested: number
  readonly available: number
}

export interface PlannedJob {
  readonly name: string
  readonly command: string
  /** Jobs that wait for the same others share one list. */
  readonly depends_on: readonly string[]
  readonly resource_requirements: PlannedRequirements
  /** null for a job that runs in none. */
  readonly container: PlannedContainer | null
}

export interface PlannedContainer {
  readonly image: string
  /** null: what is found on the machine. */
  readonly runtime: ContainerRuntime | null
}

export interface PlannedRequirements {
  readonly cpus: number | null
  readonly memory_bytes: number | null
  readonly gpus: number | null
  readonly runtime_seconds: number | null
}

/**
 * The most that would be in use at once if every job started as soon as it could. Each figure is a
 * maximum of its own. A job that asks for no CPUs counts as 1; one that asks for no memory, as 0.
 */
export interface PlanPeak {
  /** `runtimes`: every job takes its requested runtime. `stages`: not all have one, so stages count. */
  readonly basis: 'runtimes' | 'stages'
  readonly jobs: number
  readonly cpus: number
  readonly memory_bytes: number
  readonly gpus: number
}

export interface PlanTotals {
  readonly jobs: number
  readonly stages: number
  /** Pairs of a job and one that it waits for. */
  readonly dependencies: number
  /** CPUs times runtime of all jobs that ask for a runtime. */
  readonly core_seconds: number
}
