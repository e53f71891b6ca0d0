import type { Workflow, WorkflowJob } from '../../../model/workflow.ts'
import type { AttemptOrder } from '../../run/executor.ts'
import type { SlurmDefaults, SlurmRequest, SlurmScheduler } from './sbatch-options.ts'

/** What the file of a workflow says of Slurm, for its jobs by name. */
export class SlurmSpec {
  readonly #schedulers: ReadonlyMap<string, SlurmScheduler>
  readonly #jobs: ReadonlyMap<string, Pick<WorkflowJob, 'kept' | 'requirements'>>
  /** The workflow's. */
  readonly name: string
  readonly defaults: SlurmDefaults

  constructor({ name, kept, jobs }: Pick<Workflow, 'name' | 'kept' | 'jobs'>) {
    this.name = name
    const schedulers = (kept['slurm_schedulers'] ?? []) as readonly SlurmScheduler[]
    this.#schedulers = new Map(schedulers.map((scheduler) => [scheduler.name, scheduler]))
    this.#jobs = new Map(jobs.map((job) => [job.name, job]))
    this.defaults = (kept['slurm_defaults'] ?? {}) as SlurmDefaults
  }

  /** By its name; without one, the only one that there is. */
  scheduler(name: unknown): SlurmScheduler | undefined {
    if (typeof name === 'string') return this.#schedulers.get(name)
    return this.#schedulers.size === 1 ? [...this.#schedulers.values()][0] : undefined
  }

  /** The most that a job of this scheduler asks for. */
  most(scheduler: SlurmScheduler | undefined): {
    readonly mostCpus: number
    readonly mostMemoryBytes: number | null
  } {
    const asked = [...this.#jobs.values()]
      .filter(({ kept }) => this.scheduler(kept['scheduler']) === scheduler)
      .map(({ requirements }) => requirements)
    const memory = asked.flatMap(({ memoryBytes }) => memoryBytes ?? [])
    return {
      mostCpus: Math.max(1, ...asked.map(({ cpus }) => cpus ?? 1)),
      mostMemoryBytes: memory.length === 0 ? null : Math.max(...memory),
    }
  }

  requestOf({ environment, requirements }: AttemptOrder): SlurmRequest {
    const kept = this.#jobs.get(environment['JOBMETER_JOB_NAME'] ?? '')?.kept ?? {}
    const nodes = kept['num_nodes']
    return {
      requirements,
      nodes: typeof nodes === 'number' ? nodes : null,
      scheduler: this.scheduler(kept['scheduler']),
      defaults: this.defaults,
    }
  }
}
