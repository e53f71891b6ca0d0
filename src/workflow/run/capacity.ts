import type { Requirements } from '../../model/job.ts'
import type { Misfit } from '../../model/plan.ts'
import type { WorkflowJob } from '../../model/workflow.ts'

/** What the runner may use. */
export interface Capacity {
  readonly cpus: number
  readonly memoryBytes: number
  /** As CUDA_VISIBLE_DEVICES names them: indices, UUIDs or parts of a GPU (MIG). */
  readonly gpus: readonly string[]
  readonly maxParallelJobs: number
}

/** What a job takes while it runs. A job that did not say counts as one CPU, and as no memory. */
export interface Claim {
  readonly cpus: number
  readonly memoryBytes: number
  readonly gpus: number
}

export function claimOf(requirements: Requirements): Claim {
  return {
    cpus: requirements.cpus ?? 1,
    memoryBytes: requirements.memoryBytes ?? 0,
    gpus: requirements.gpus ?? 0,
  }
}

/** What of the claims of these jobs can never be met, in the order of the jobs. */
export function misfitsOf(jobs: readonly WorkflowJob[], capacity: Capacity): Misfit[] {
  return jobs.flatMap(({ name, requirements }) => {
    const { cpus, memoryBytes, gpus } = claimOf(requirements)
    const all = [
      { resource: 'cpus', requested: cpus, available: capacity.cpus },
      { resource: 'memory_bytes', requested: memoryBytes, available: capacity.memoryBytes },
      { resource: 'gpus', requested: gpus, available: capacity.gpus.length },
    ] as const
    return all
      .filter(({ requested, available }) => requested > available)
      .map((misfit) => ({ job: name, ...misfit }))
  })
}

/** What is free at the moment. */
export class Resources {
  #cpus: number
  #memoryBytes: number
  #slots: number
  /** Free ones, by their place among all. */
  readonly #gpus: number[]
  readonly #gpuNames: readonly string[]

  constructor(capacity: Capacity) {
    this.#cpus = capacity.cpus
    this.#memoryBytes = capacity.memoryBytes
    this.#slots = capacity.maxParallelJobs
    this.#gpuNames = capacity.gpus
    this.#gpus = [...capacity.gpus.keys()]
  }

  fits(claim: Claim): boolean {
    // A thousandth of a core of tolerance: 0.1 taken ten times is not quite 1.
    return (
      this.#slots > 0 &&
      claim.cpus <= this.#cpus + 0.001 &&
      claim.memoryBytes <= this.#memoryBytes &&
      claim.gpus <= this.#gpus.length
    )
  }

  /** Takes what was asked for; answers the GPUs, in the order in which they were told. */
  take(claim: Claim): readonly string[] {
    this.#slots -= 1
    this.#cpus -= claim.cpus
    this.#memoryBytes -= claim.memoryBytes
    return this.#gpus.splice(0, claim.gpus).map((place) => this.#gpuNames[place] ?? '')
  }

  giveBack(claim: Claim, gpus: readonly string[]): void {
    this.#slots += 1
    this.#cpus += claim.cpus
    this.#memoryBytes += claim.memoryBytes
    this.#gpus.push(...gpus.map((name) => this.#gpuNames.indexOf(name)))
    this.#gpus.sort((a, b) => a - b)
  }
}
