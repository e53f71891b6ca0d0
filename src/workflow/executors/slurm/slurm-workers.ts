import { isOver, type SlurmJobState } from '../../../slurm/job-state.ts'
import type { System } from '../../../system/system.ts'
import type { AskedMetric } from '../../../model/metrics.ts'
import type { WorkflowAction } from '../../../model/workflow.ts'
import { claimOf } from '../../../model/claim.ts'
import { whyNot } from '../../../model/reading.ts'
import type { AttemptOrder } from '../../run/executor.ts'
import type { RemoteHandle } from '../remote/remote-handle.ts'
import type { PlacedOrder, SiteTask, Submission } from '../remote/site.ts'
import { workerScript } from './batch-script.ts'
import { isUnseen, unseenText } from './judge.ts'
import { allocationOptions, type SlurmScheduler } from './sbatch-options.ts'
import { forgottenSeconds, type SlurmCommands } from './slurm-commands.ts'
import type { SlurmSpec } from './slurm-spec.ts'
import type { Submitter } from './submitter.ts'
import { WaitingList, type WaitingJob } from './waiting-list.ts'
import { WorkerReports, type Misfit } from './worker-reports.ts'

/** So many allocations that ended without taking a job, one after the other, are enough to see that the next will not either. */
const mostVain = 3

/** What is said of an attempt that waits for workers to pull it, in place of a Slurm job of its own. */
const forWorkers = { slurm_workers: true }

export const isForWorkers = ({ site }: RemoteHandle): boolean =>
  site?.['slurm_workers'] === forWorkers.slurm_workers

interface WorkerSettings {
  readonly program: readonly string[]
  readonly directory: () => string
  readonly spec: () => SlurmSpec
  /** What is measured; empty: what is measured by default. */
  readonly metrics: () => readonly AskedMetric[]
  readonly workingDirectory: string
  readonly trouble: (message: string) => void
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
  #finding: Promise<void> | undefined

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
    void this.#findAllocations().then(() => {
      for (let number = 0; number < (typeof count === 'number' ? count : 1); number++)
        this.#allocate(scheduler, words)
      return undefined
    })
  }

  async add(orders: readonly PlacedOrder[]): Promise<readonly Submission[]> {
    await this.#findAllocations()
    const list = new WaitingList(this.#system.files, this.#settings.directory())
    return orders.map(({ order }) => this.#list(list, order))
  }

  /** How allocations stand, by what Slurm knows; where those are over that jobs wait for, there will be others. */
  async look(jobs: ReadonlyMap<string, SlurmJobState>, tasks: readonly SiteTask[]): Promise<void> {
    const unclaimed = tasks.filter(
      ({ attempt, handle }) => attempt.claim === undefined && isForWorkers(handle),
    )
    const doWait = unclaimed.length > 0
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
    await this.#findAllocations()
    const list = new WaitingList(this.#system.files, this.#settings.directory())
    const waiting = list.read()
    this.#listAgain(list, waiting, unclaimed)
    const misfits = Map.groupBy(reports.misfits(), ({ taskId }) => taskId)
    for (const job of waiting) {
      const why = this.#whyUnfit(job, misfits.get(job.taskId) ?? [], reports)
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

  #list(list: WaitingList, order: AttemptOrder): Submission {
    const { requirements, taskId } = order
    const scheduler = this.#settings.spec().requestOf(order).scheduler?.name ?? null
    const { runtimeSeconds } = requirements
    const job = { ...claimOf(requirements), taskId, scheduler, runtimeSeconds }
    const listed = list.add(job, this.#system.clock.wallSeconds())
    if (listed.kind !== 'ok')
      return { kind: 'refused', why: `no worker could be told of it: ${whyNot(listed)}` }
    this.#allocateFor(scheduler)
    return { kind: 'taken', site: forWorkers }
  }

  /**
   * Jobs that nobody has taken and that are not listed, for whatever reason, would wait for ever. A worker takes a job before it
   * removes its name: whoever looks for the two the other way round misses neither. One that is listed twice is taken once.
   */
  #listAgain(
    list: WaitingList,
    waiting: readonly WaitingJob[],
    unclaimed: readonly SiteTask[],
  ): void {
    const listed = new Set(waiting.map(({ taskId }) => taskId))
    for (const { taskId, folder } of unclaimed) {
      if (listed.has(taskId) || this.#unfit.has(taskId)) continue
      if (folder.readClaim() !== undefined) continue
      const written = folder.readOrder()
      if (written.kind === 'ok') this.#list(list, written.value.order)
    }
  }

  /** Before the first is asked for: allocations that a runner before us has left for the same folder serve as well. */
  #findAllocations(): Promise<void> {
    this.#finding ??= this.#find().catch(() => {
      // Where Slurm does not answer, others may be asked for: that costs time, and no more.
    })
    return this.#finding
  }

  async #find(): Promise<void> {
    const batch = `${this.#settings.directory()}/batch`
    const scripts = this.#system.files.list(batch)
    if (scripts.kind !== 'ok' || !scripts.value.some((name) => parseScript(name) !== undefined))
      return
    for (const { id, script } of await this.#commands.alive()) {
      const facts = script.startsWith(`${batch}/`)
        ? parseScript(script.slice(batch.length + 1))
        : undefined
      if (facts === undefined || this.allocations.includes(id)) continue
      this.#system.files.removeFile(`${this.#settings.directory()}/stop`)
      this.#allocations.push({ id, ...facts, unknownSince: null })
    }
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
  #whyUnfit(
    { scheduler }: WaitingJob,
    told: readonly Misfit[],
    reports: WorkerReports,
  ): string | undefined {
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
        ...spec.most(scheduler),
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
      .submitScript(scriptName(name, allocation), text, options, this.#settings.workingDirectory)
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
    this.#settings.trouble(this.#trouble)
  }
}

const serves = (allocation: Allocation, scheduler: string | null): boolean =>
  scheduler === null || allocation.scheduler === scheduler

/** What is to be known of an allocation stands in the name of its script, by which Slurm knows it. */
const scriptName = (id: string, { nodes, scheduler }: Pick<Allocation, 'nodes' | 'scheduler'>) =>
  [id, nodes, encodeURIComponent(scheduler ?? '')].join(',')

function parseScript(name: string): Pick<Allocation, 'nodes' | 'scheduler'> | undefined {
  const [, nodes, scheduler] = /^workers-[^,]+,(\d+),([^,]*)\.sh$/.exec(name) ?? []
  if (nodes === undefined || scheduler === undefined) return undefined
  return {
    nodes: Number(nodes),
    scheduler: scheduler === '' ? null : decodeURIComponent(scheduler),
  }
}
