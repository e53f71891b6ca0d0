import { isOver, type SlurmJobState } from '../../../slurm/job-state.ts'
import { removeFolder } from '../../../system/claim-file.ts'
import type { System } from '../../../system/system.ts'
import type { AskedMetric } from '../../../model/metrics.ts'
import type { WorkflowAction } from '../../../model/workflow.ts'
import { claimOf } from '../../../model/claim.ts'
import type { PlacedOrder, SiteTask, Submission } from '../remote/site.ts'
import { workerScript } from './batch-script.ts'
import { isUnseen, unseenText } from './judge.ts'
import { allocationOptions, type SlurmScheduler } from './sbatch-options.ts'
import type { SlurmCommands } from './slurm-commands.ts'
import type { SlurmSpec } from './slurm-spec.ts'
import type { Submitter } from './submitter.ts'
import { WaitingList } from './waiting-list.ts'

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
    for (const allocation of this.#allocations) {
      const job = allocation.id === null ? undefined : jobs.get(allocation.id)
      if (allocation.id === null || (job !== undefined && !isOver(job))) continue
      this.#allocations = this.#allocations.filter((each) => each !== allocation)
      // One that took no job says so by its exit code.
      if (job?.state === 'COMPLETED' || job?.state === 'TIMEOUT') this.#vain = 0
      else this.#noteVain(job)
    }
    const isWaiting = ({ attempt }: SiteTask): boolean => attempt.claim === undefined
    if (!tasks.some(isWaiting)) return
    for (const { scheduler } of new WaitingList(
      this.#system.files,
      this.#settings.directory(),
    ).read())
      this.#allocateFor(scheduler)
  }

  /** Why no worker will take jobs any more, where that is so. */
  get trouble(): string | null {
    return this.#trouble
  }

  /** Workers end when they have nothing to do; those that have not started are not needed any more. */
  close(): void {
    this.#system.files.makeDirectories(this.#settings.directory())
    this.#system.files.saveAnew(`${this.#settings.directory()}/stop`, [], 'own')
    const ids = this.#allocations.flatMap(({ id }) => id ?? [])
    if (ids.length > 0) void this.#commands.cancel(ids, ['--state=PENDING'])
  }

  tidy(): void {
    removeFolder(`${this.#settings.directory()}/waiting`)
  }

  #allocateFor(scheduler: string | null): void {
    const serves = (allocation: Allocation): boolean =>
      scheduler === null || allocation.scheduler === scheduler
    if (this.#trouble !== null || this.#allocations.some(serves)) return
    this.#allocate(this.#settings.spec().scheduler(scheduler ?? undefined), [])
  }

  #allocate(scheduler: SlurmScheduler | undefined, words: readonly string[]): void {
    const allocation: Allocation = { id: null, scheduler: scheduler?.name ?? null }
    this.#allocations.push(allocation)
    const directory = this.#settings.directory()
    this.#system.files.removeFile(`${directory}/stop`)
    const name = `workers-${this.#system.randomId().slice(0, 12)}`
    const options = [
      '--no-requeue',
      '--job-name=jobmeter-workers',
      ...allocationOptions(scheduler, this.#settings.spec().defaults),
      `--output=${directory}/batch/${name}.out`,
    ]
    const metrics = this.#settings.metrics()
    const text = workerScript(this.#settings, directory, {
      nodes: scheduler?.nodes ?? 1,
      words: [
        ...(scheduler === undefined ? [] : ['--scheduler', scheduler.name]),
        ...(metrics.length === 0 ? [] : ['--metrics', metrics.join(',')]),
        ...words,
      ],
    })
    void this.#submitter
      .submitScript(name, text, options, this.#settings.workingDirectory)
      .then((id) => (allocation.id = id))
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
