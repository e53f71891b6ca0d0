import { claimOf, fitsIn, type Claim } from '../../model/claim.ts'
import type { Machine } from '../../model/machine.ts'
import type { Misfit } from '../../model/plan.ts'
import type { WorkflowJob } from '../../model/workflow.ts'

/** What jobs may use of one machine. */
export interface NodeCapacity {
  readonly machine: Machine
  readonly cpus: number
  readonly memoryBytes: number
  /**
   * As CUDA_VISIBLE_DEVICES names them: indices, UUIDs or parts of a GPU (MIG). `given there`: whoever starts jobs on that
   * node says which of its GPUs each of them gets.
   */
  readonly gpus: readonly string[] | 'given there'
  /** How many jobs it can take at the same time, however small they are. */
  readonly jobs: number
}

/** What the runner may use. A job runs on one node, and has to fit there. */
export interface Capacity {
  readonly nodes: readonly NodeCapacity[]
  /** On all of them together. */
  readonly maxParallelJobs: number
}

/**
 * What of the claims of these jobs can never be met, in the order of the jobs. Where several nodes are too small, by the
 * one that lacks the fewest things.
 */
export function misfitsOf(jobs: readonly WorkflowJob[], { nodes }: Capacity): Misfit[] {
  return jobs.flatMap(({ name, requirements }) => {
    const claim = claimOf(requirements)
    const [fewest = []] = nodes
      .map((node) => misfitsOn(node, name, claim))
      .toSorted((a, b) => a.length - b.length)
    return fewest
  })
}

function misfitsOn(node: NodeCapacity, job: string, claim: Claim): Misfit[] {
  const all = [
    { resource: 'cpus', requested: claim.cpus, available: node.cpus },
    { resource: 'memory_bytes', requested: claim.memoryBytes, available: node.memoryBytes },
    { resource: 'gpus', requested: claim.gpus, available: gpusOf(node) },
  ] as const
  return all
    .filter(({ requested, available }) => requested > available)
    .map((misfit) => ({ job, ...misfit }))
}

const gpusOf = ({ gpus }: NodeCapacity): number => (gpus === 'given there' ? Infinity : gpus.length)

/** Where a job runs, and the GPUs that it gets there. */
export interface Place {
  /** By its place in the list of nodes. */
  readonly node: number
  readonly gpus: readonly string[]
}

/** What is free at the moment. */
export class Resources {
  readonly #nodes: readonly FreeNode[]
  #slots: number

  constructor({ nodes, maxParallelJobs }: Capacity) {
    this.#nodes = nodes.map((node) => new FreeNode(node))
    this.#slots = maxParallelJobs
  }

  fits(claim: Claim): boolean {
    return this.#slots > 0 && this.#nodes.some((node) => node.fits(claim))
  }

  /** What is free on a node, by its place in the list of nodes. */
  freeOn(node: number): Claim {
    return this.#nodes[node]?.free ?? { cpus: 0, memoryBytes: 0, gpus: 0 }
  }

  /** Takes what was asked for, which must fit: on the node that has the fewest CPUs left, so that large jobs find room. */
  take(claim: Claim): Place {
    let best = -1
    for (const [index, node] of this.#nodes.entries())
      if (node.fits(claim) && (best < 0 || node.cpus < (this.#nodes[best]?.cpus ?? 0))) best = index
    this.#slots -= 1
    return { node: best, gpus: this.#nodes[best]?.take(claim) ?? [] }
  }

  /** Takes what a job has already, whether or not there is so much. */
  hold(claim: Claim, { node, gpus }: Place): void {
    this.#slots -= 1
    this.#nodes[node]?.hold(claim, gpus)
  }

  giveBack(claim: Claim, { node, gpus }: Place): void {
    this.#slots += 1
    this.#nodes[node]?.giveBack(claim, gpus)
  }
}

class FreeNode {
  cpus: number
  #jobs: number
  #memoryBytes: number
  /** Free ones, by their place among all. */
  #gpus: number[]
  readonly #gpuNames: readonly string[]
  readonly #givesGpus: boolean

  constructor({ cpus, memoryBytes, gpus, jobs }: NodeCapacity) {
    this.#jobs = jobs
    this.cpus = cpus
    this.#memoryBytes = memoryBytes
    this.#givesGpus = gpus !== 'given there'
    this.#gpuNames = gpus === 'given there' ? [] : gpus
    this.#gpus = [...this.#gpuNames.keys()]
  }

  fits(claim: Claim): boolean {
    return this.#jobs > 0 && fitsIn(claim, this.free)
  }

  get free(): Claim {
    const gpus = this.#givesGpus ? this.#gpus.length : Infinity
    return { cpus: this.cpus, memoryBytes: this.#memoryBytes, gpus }
  }

  /** Answers the GPUs, in the order in which they were told. */
  take(claim: Claim): readonly string[] {
    this.#jobs -= 1
    this.cpus -= claim.cpus
    this.#memoryBytes -= claim.memoryBytes
    return this.#gpus.splice(0, claim.gpus).map((place) => this.#gpuNames[place] ?? '')
  }

  hold(claim: Claim, gpus: readonly string[]): void {
    this.#jobs -= 1
    this.cpus -= claim.cpus
    this.#memoryBytes -= claim.memoryBytes
    this.#gpus = this.#gpus.filter((place) => !gpus.includes(this.#gpuNames[place] ?? ''))
  }

  giveBack(claim: Claim, gpus: readonly string[]): void {
    this.#jobs += 1
    this.cpus += claim.cpus
    this.#memoryBytes += claim.memoryBytes
    this.#gpus.push(...gpus.map((name) => this.#gpuNames.indexOf(name)).filter((at) => at >= 0))
    this.#gpus.sort((a, b) => a - b)
  }
}
