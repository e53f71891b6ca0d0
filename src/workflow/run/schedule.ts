import type { JobSortMethod, WorkflowJob } from '../../model/workflow.ts'
import { claimOf } from '../../model/claim.ts'
import { Resources, type Capacity, type Place } from './capacity.ts'
import { DependencyGraph } from './dependency-graph.ts'
import { rankJobs } from './ranking.ts'
import { ReadyQueue } from './ready-queue.ts'

/** A job to be started now, and where. */
export interface Start extends Place {
  readonly position: number
}

type Phase = 'blocked' | 'ready' | 'running' | 'succeeded' | 'failed' | 'cancelled'

/** Which job may start next. Pure: it knows jobs by their position in the workflow and starts nothing itself. */
export class Schedule {
  readonly #jobs: readonly WorkflowJob[]
  readonly #graph: DependencyGraph
  readonly #queue: ReadyQueue
  readonly #resources: Resources
  readonly #phases: Phase[]
  /** Members of each group that have not ended. */
  readonly #left: number[]
  readonly #places = new Map<number, Place>()
  #newlyReady: number[] = []
  #running = 0
  #blocked = 0

  /** `done`: jobs that succeeded in an earlier run; `held`: jobs that one has started and that may still run. */
  constructor(
    jobs: readonly WorkflowJob[],
    sortMethod: JobSortMethod,
    capacity: Capacity,
    done: (position: number) => boolean,
    held: readonly Start[] = [],
  ) {
    this.#jobs = jobs
    this.#graph = new DependencyGraph(jobs)
    this.#queue = new ReadyQueue(rankJobs(jobs, this.#graph, sortMethod))
    this.#resources = new Resources(capacity)
    this.#left = Array.from({ length: this.#graph.groupCount }, (_, group) =>
      this.#graph.groupSize(group),
    )
    this.#phases = jobs.map((_, position) => (done(position) ? 'succeeded' : 'blocked'))
    this.#blocked = this.#phases.filter((phase) => phase === 'blocked').length
    jobs.forEach((_, position) => {
      if (this.#phases[position] !== 'succeeded') return
      for (const group of this.#graph.groupsOf(position))
        this.#left[group] = this.#leftIn(group) - 1
    })
    for (const start of held) {
      this.#blocked -= 1
      this.#resources.hold(this.#claim(start.position), start)
      this.#begin(start)
    }
    jobs.forEach((_, position) => {
      const group = this.#graph.waitsFor(position)
      if (group < 0 || this.#leftIn(group) === 0) this.#makeReady(position)
    })
  }

  get running(): number {
    return this.#running
  }

  get ready(): number {
    return this.#queue.size
  }

  get blocked(): number {
    return this.#blocked
  }

  /** The best job that may start now; it holds what it asked for until it has ended. */
  next(): Start | undefined {
    const position = this.#queue.take(this.#resources)
    if (position === undefined) return undefined
    const { node, gpus } = this.#resources.take(this.#claim(position))
    const start = { position, node, gpus }
    this.#begin(start)
    return start
  }

  /** Jobs that have become ready since this was last asked. */
  takeNewlyReady(): readonly number[] {
    const ready = this.#newlyReady
    this.#newlyReady = []
    return ready
  }

  /** A running job has ended for good. Answers the jobs that are cancelled because of that, in no special order. */
  ended(position: number, succeeded: boolean): number[] {
    this.#leave(position)
    this.#phases[position] = succeeded ? 'succeeded' : 'failed'
    return this.#settle(position, succeeded)
  }

  /** A running job turned out not to run: it may start again, anywhere. */
  putBack(position: number): void {
    this.#leave(position)
    this.#phases[position] = 'blocked'
    this.#blocked += 1
    this.#makeReady(position)
  }

  /** Takes everything that has not started out of the run. */
  cancelRest(): number[] {
    const cancelled = this.#queue.clear()
    this.#phases.forEach((phase, position) => {
      if (phase === 'blocked') cancelled.push(position)
    })
    for (const position of cancelled) this.#phases[position] = 'cancelled'
    this.#blocked = 0
    return cancelled
  }

  #begin(start: Start): void {
    this.#places.set(start.position, start)
    this.#phases[start.position] = 'running'
    this.#running += 1
  }

  #leave(position: number): void {
    const place = this.#places.get(position)
    if (place !== undefined) this.#resources.giveBack(this.#claim(position), place)
    this.#places.delete(position)
    this.#running -= 1
  }

  #settle(position: number, succeeded: boolean): number[] {
    const cancelled: number[] = []
    const ended: [number, boolean][] = [[position, succeeded]]
    for (let item = ended.pop(); item !== undefined; item = ended.pop()) {
      const [at, well] = item
      for (const group of this.#graph.groupsOf(at)) {
        const left = this.#leftIn(group) - 1
        this.#left[group] = left
        if (!well)
          for (const dependent of this.#graph.dependents(group))
            if (this.#mustCancel(dependent)) {
              this.#phases[dependent] = 'cancelled'
              this.#blocked -= 1
              cancelled.push(dependent)
              ended.push([dependent, false])
            }
        if (left === 0)
          for (const dependent of this.#graph.dependents(group)) this.#makeReady(dependent)
      }
    }
    return cancelled
  }

  #mustCancel(position: number): boolean {
    return (
      this.#phases[position] === 'blocked' &&
      this.#jobs[position]?.cancelOnBlockingJobFailure === true
    )
  }

  #makeReady(position: number): void {
    if (this.#phases[position] !== 'blocked') return
    this.#phases[position] = 'ready'
    this.#blocked -= 1
    this.#queue.add(position, this.#claim(position))
    this.#newlyReady.push(position)
  }

  #claim(position: number) {
    const job = this.#jobs[position]
    return job === undefined ? { cpus: 0, memoryBytes: 0, gpus: 0 } : claimOf(job.requirements)
  }

  #leftIn(group: number): number {
    return this.#left[group] ?? 0
  }
}
