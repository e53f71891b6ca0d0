import { isOver, type SlurmJobState } from '../../../slurm/job-state.ts'
import type { System } from '../../../system/system.ts'
import type { AskedMetric } from '../../../model/metrics.ts'
import type { WorkflowAction } from '../../../model/workflow.ts'
import { claimOf } from '../../../model/claim.ts'
import type { PlacedOrder, SiteTask, Submission } from '../remote/site.ts'
import { workerScript } from './batch-script.ts'
import { isUnseen, unseenText } from './judge.ts'
import { allocationOptions, type SlurmScheduler } from './sbatch-options.ts'
import { forgottenSeconds, type SlurmCommands } from './slurm-commands.ts'
import type { SlurmSpec } from './slurm-spec.ts'
import type { Submitter } from './submitter.ts'
import { WaitingList, type WaitingJob } from './waiting-list.ts'
import { WorkerReports } from './worker-reports.ts'

/** So many allocations that ended without taking a job, one after the other, are enough to see that the next will not either. */
const mostVain = 3

interface WorkerSettings {
  readonly program: readonly string[]
  readonly directory: () => string
  readonly spec: () => SlurmSpec
  /** What is measured; empty: what is measured by default. */
  readonly metrics: () => readonly AskedMetric[]
  readonly workingDirectory: string
  readonly note: (message: string) => void
}

interface Allocation {
  /** null until Slurm has it. */
  id: string | null
  readonly scheduler: string | null
  readonly nodes: number
  /** Since when neither the controller nor the accounting has known it; null: it is known. */
  unknownSince: number | null
}

/** Allocations in which workers pull jobs. Where jobs wait and no allocation is left for them, another one is asked for. */
export class SlurmWorkers {
  readonly #system: System
  readonly #commands: SlurmCommands
  readonly #submitter: Submitter
  readonly #settings: WorkerSettings
  #allocations: Allocation[] = []
  #vain = 0
  #trouble: string | null = null
  /** Jobs for which every allocation is too small, with why. */
  readonly #unfit = new Map<string, string>()
  #isClosed = false

  constructor(
    system: System,
    commands: SlurmCommands,
    submitter: Submitter,
    settings: WorkerSettings,
  ) {
    this.#system = system
    this.#commands = commands
    this.#submitter = submitter
    this.#settings = settings
  }

  /** What an action `schedule_nodes` asks for. */
  schedule({ kept }: WorkflowAction): void {
    const scheduler = this.#settings.spec().scheduler(kept['scheduler'])
    const count = kept['num_allocations']
    const parallel = kept['max_parallel_jobs']
    const words = [
      ...(typeof parallel === 'number' ? ['--max-parallel-jobs', String(parallel)] : []),
      ...(kept['persistent'] === true ? ['--persistent'] : []),
    ]
    for (let number = 0; number < (typeof count === 'number' ? count : 1); number++)
      this.#allocate(scheduler, words)
  }

  add(orders: readonly PlacedOrder[]): Promise<readonly Submission[]> {
    const list = new WaitingList(this.#system.files, this.#settings.directory())
    const spec = this.#settings.spec()
    for (const { order } of orders) {
      const { requirements, taskId } = order
      const scheduler = spec.requestOf(order).scheduler?.name ?? null
      const { runtimeSeconds } = requirements
      const job = { ...claimOf(requirements), taskId, scheduler, runtimeSeconds }
      list.add(job, this.#system.clock.wallSeconds())
      this.#allocateFor(scheduler)
    }
    return Promise.resolve(orders.map(() => ({ kind: 'taken', site: { slurm_workers: true } })))
  }

  /** How allocations stand, by what Slurm knows; where those are over that jobs wait for, there will be others. */
  look(jobs: ReadonlyMap<string, SlurmJobState>, tasks: readonly SiteTask[]): void {
    const doWait = tasks.some(({ attempt }) => attempt.claim === undefined)
    const reports = new WorkerReports(this.#system.files, this.#settings.directory())
    for (const allocation of this.#allocations) {
      const { id } = allocation
      const job = id === null ? undefined : jobs.get(id)
      if (id === null || !this.#isOver(allocation, job)) continue
      this.#allocations = this.#allocations.filter((each) => each !== allocation)
      if (reports.isUsed(id) || job?.state === 'COMPLETED') this.#vain = 0
      else if (doWait) this.#noteVain(job)
    }
    if (!doWait) return
    const list = new WaitingList(this.#system.files, this.#settings.directory())
    const waiting = list.read()
    for (const job of waiting) {
      const why = this.#whyUnfit(job, reports)
      if (why === undefined) continue
      this.#unfit.set(job.taskId, `no worker can take it: ${why}`)
      list.remove(job.fileName)
    }
    for (const { taskId, scheduler } of waiting)
      if (!this.#unfit.has(taskId)) this.#allocateFor(scheduler)
  }

  /** What Slurm calls those that are not over. */
  get allocations(): readonly string[] {
    return this.#allocations.flatMap(({ id }) => id ?? [])
  }

  /** Why no worker will take this job, where that is so. */
  troubleOf(taskId: string): string | null {
    return this.#trouble ?? this.#unfit.get(taskId) ?? null
  }

  /** Workers end when they have nothing to do; those that have not started are not needed any more. */
  close(): void {
    this.#system.files.makeDirectories(this.#settings.directory())
    this.#system.files.saveAnew(`${this.#settings.directory()}/stop`, [], 'own')
    this.#isClosed = true
    this.#cancelUnstarted(this.allocations)
  }

  #cancelUnstarted(ids: readonly string[]): void {
    if (ids.length > 0) void this.#commands.cancel(ids, ['--state=PENDING'])
  }

  /** One that was submitted a moment ago may not be listed yet. */
  #isOver(allocation: Allocation, job: SlurmJobState | undefined): boolean {
    if (job !== undefined) allocation.unknownSince = null
    if (job !== undefined) return isOver(job)
    const now = this.#system.clock.monotonicSeconds()
    allocation.unknownSince ??= now
    return now - allocation.unknownSince >= forgottenSeconds
  }

  /** All nodes of all allocations that may take it were too small, and another one would be as large. */
  #whyUnfit({ taskId, scheduler }: WaitingJob, reports: WorkerReports): string | undefined {
    const told = reports.misfits().filter((misfit) => misfit.taskId === taskId)
    const next = this.#settings.spec().scheduler(scheduler ?? undefined)?.name ?? null
    const last = told.findLast((misfit) => misfit.scheduler === next)
    const isTooSmall = ({ id, nodes }: Allocation): boolean =>
      told.filter(({ allocation }) => allocation === id).length >= nodes
    const serving = this.#allocations.filter((allocation) => serves(allocation, scheduler))
    return last !== undefined && serving.every(isTooSmall) ? reports.whyOf(last) : undefined
  }

  #allocateFor(scheduler: string | null): void {
    const isServed = this.#allocations.some((allocation) => serves(allocation, scheduler))
    if (this.#trouble !== null || isServed) return
    this.#allocate(this.#settings.spec().scheduler(scheduler ?? undefined), [])
  }

  #allocate(scheduler: SlurmScheduler | undefined, words: readonly string[]): void {
    const spec = this.#settings.spec()
    const nodes = scheduler?.nodes ?? 1
    const allocation: Allocation = {
      id: null,
      scheduler: scheduler?.name ?? null,
      nodes,
      unknownSince: null,
    }
    this.#allocations.push(allocation)
    const directory = this.#settings.directory()
    this.#system.files.removeFile(`${directory}/stop`)
    const name = `workers-${this.#system.randomId().slice(0, 12)}`
    const options = [
      '--no-requeue',
      `--job-name=${spec.name}`,
      ...allocationOptions(scheduler, {
        defaults: spec.defaults,
        mostCpus: spec.mostCpus(scheduler),
      }),
      `--output=${directory}/batch/${name}.out`,
    ]
    const metrics = this.#settings.metrics()
    const text = workerScript(this.#settings, directory, {
      nodes,
      words: [
        ...(scheduler === undefined ? [] : ['--scheduler', scheduler.name]),
        ...(metrics.length === 0 ? [] : ['--metrics', metrics.join(',')]),
        ...words,
      ],
    })
    void this.#submitter
      .submitScript(name, text, options, this.#settings.workingDirectory)
      .then((id) => {
        allocation.id = id
        if (this.#isClosed) this.#cancelUnstarted([id])
        return undefined
      })
      .catch((error: unknown) => {
        this.#allocations = this.#allocations.filter((each) => each !== allocation)
        this.#giveUp(error instanceof Error ? error.message : String(error))
      })
  }

  #noteVain(job: SlurmJobState | undefined): void {
    this.#vain += 1
    if (job !== undefined && isUnseen(job)) this.#giveUp(unseenText(job))
    else if (this.#vain >= mostVain)
      this.#giveUp(
        `${mostVain} allocations ended without taking a job (the last one: ${job?.state ?? 'unknown'})`,
      )
  }

  #giveUp(why: string): void {
    this.#trouble = `no workers: ${why}`
    this.#settings.note(this.#trouble)
  }
}

const serves = (allocation: Allocation, scheduler: string | null): boolean =>
  scheduler === null || allocation.scheduler === scheduler
