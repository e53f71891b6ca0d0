import { waitsText } from '../../../model/elsewhere.ts'
import { saysOutOfMemory } from '../../../model/outcome.ts'
import { isOver, isWaiting, waitsInVain, type SlurmJobState } from '../../../slurm/job-state.ts'
import { removeFolder } from '../../../system/claim-file.ts'
import type { System } from '../../../system/system.ts'
import type { AttemptResult } from '../../run/executor.ts'
import { neverStarted } from '../never-started.ts'
import type { RemoteHandle } from '../remote/remote-handle.ts'
import type { PlacedOrder, Site, SiteState, SiteTask, Submission } from '../remote/site.ts'
import { judge, mayBeEndedBySlurm } from './judge.ts'
import { forgottenSeconds, type SlurmCommands } from './slurm-commands.ts'
import type { Submitter } from './submitter.ts'
import { isForWorkers, type SlurmWorkers } from './slurm-workers.ts'

/** What is to be killed has so long to say how it ended. */
const killSeconds = 5

interface SiteSettings {
  /** Slurm is asked how jobs stand no more often than this. */
  readonly pollSeconds: number
  /** Where scripts for Slurm are written. */
  readonly directory: () => string
  readonly trouble: (message: string) => void
}

/** Slurm as a place where attempts run: each in a job, or in an element of an array, or pulled by workers in allocations. */
export class SlurmSite implements Site {
  readonly gatherSeconds = 0.3
  readonly lagSeconds = 5
  readonly #system: System
  readonly #commands: SlurmCommands
  readonly #submitter: Submitter
  readonly #workersOrNone: () => SlurmWorkers | null
  readonly #settings: SiteSettings
  readonly #unknownSince = new Map<string, number>()
  #askingSeconds = 0
  #wasTold = false
  readonly #toldReasons = new Set<string>()

  constructor(
    system: System,
    commands: SlurmCommands,
    by: {
      readonly submitter: Submitter
      /** Where workers pull jobs; else each job is submitted. */
      readonly workers: () => SlurmWorkers | null
    },
    settings: SiteSettings,
  ) {
    this.#system = system
    this.#commands = commands
    this.#submitter = by.submitter
    this.#workersOrNone = by.workers
    this.#settings = settings
  }

  /** A controller that takes long to answer is asked less often. */
  get stateSeconds(): number {
    return Math.max(this.#settings.pollSeconds, 20 * this.#askingSeconds)
  }

  get #workers(): SlurmWorkers | null {
    return this.#workersOrNone()
  }

  submit(orders: readonly PlacedOrder[]): Promise<readonly Submission[]> {
    return this.#workers === null ? this.#submitter.submit(orders) : this.#workers.add(orders)
  }

  async end(all: readonly SiteTask[], _: NodeJS.Signals, request: number): Promise<void> {
    // Workers look into the folders themselves, and run others that are to go on.
    const tasks = all.filter(({ handle }) => !isForWorkers(handle))
    const [running, waiting] = [true, false].map((isRunning) =>
      tasks.filter(({ attempt }) => (attempt.claim?.kind === 'taken') === isRunning).map(nameOf),
    )
    if (waiting !== undefined && waiting.length > 0) await this.#commands.cancel(waiting)
    if (running === undefined || running.length === 0) return
    // The one that looks after the job passes the signal on. It sees in the folder that the job is to be killed; where it does
    // not, Slurm ends all of it.
    if (request === 1) await this.#commands.cancel(running, ['--batch', '--signal=TERM'])
    else this.#system.clock.after(killSeconds, () => void this.#commands.cancel(running))
  }

  async states(tasks: readonly SiteTask[]): Promise<ReadonlyMap<string, SiteState>> {
    const began = this.#system.clock.monotonicSeconds()
    try {
      const jobs = await this.#ask(tasks)
      this.#wasTold = false
      await this.#workers?.look(jobs, tasks)
      this.#tellStuck([...tasks.map(nameOf), ...(this.#workers?.allocations ?? [])], jobs)
      return new Map(
        tasks.flatMap((task): [string, SiteState][] => {
          const state = this.#stateOf(task, jobs.get(nameOf(task)))
          return state === undefined ? [] : [[task.taskId, state]]
        }),
      )
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      if (!this.#wasTold) this.#settings.trouble(`Slurm does not say how jobs stand: ${why}`)
      this.#wasTold = true
      return new Map()
    } finally {
      this.#askingSeconds = this.#system.clock.monotonicSeconds() - began
    }
  }

  needsUs(handle: RemoteHandle): boolean {
    return isForWorkers(handle)
  }

  isToBeJudged(result: AttemptResult, handle: RemoteHandle): boolean {
    // Workers hold a job to its memory themselves; Slurm knows of the whole allocation only.
    if (isForWorkers(handle) && saysOutOfMemory(result.outcome.reason)) return false
    return mayBeEndedBySlurm(result)
  }

  close(): void {
    this.#workers?.close()
  }

  tidy(): void {
    const directory = this.#settings.directory()
    for (const folder of ['batch', 'waiting', 'reports']) removeFolder(`${directory}/${folder}`)
    const left = this.#system.files.list(directory)
    // Folders of attempts that have logs in them stay. Workers end where there is no folder, as they do where it says `stop`.
    if (left.kind === 'ok' && left.value.every((name) => name === 'stop')) removeFolder(directory)
  }

  async #ask(tasks: readonly SiteTask[]): Promise<ReadonlyMap<string, SlurmJobState>> {
    const jobs = await this.#commands.known()
    const allocations = this.#workers?.allocations ?? []
    const names = [...tasks.map(nameOf), ...allocations].filter(
      (name) => name !== '' && !jobs.has(name),
    )
    if (names.length > 0)
      for (const [name, state] of await this.#commands.remembered([...new Set(names)]))
        jobs.set(name, state)
    return jobs
  }

  /** Once for each reason: the next thousand jobs may have the same. */
  #tellStuck(names: readonly string[], jobs: ReadonlyMap<string, SlurmJobState>): void {
    for (const name of names) {
      const job = jobs.get(name)
      if (job?.reason === undefined || !waitsInVain(job) || this.#toldReasons.has(job.reason))
        continue
      this.#toldReasons.add(job.reason)
      this.#settings.trouble(
        `Slurm will not start job ${name} as things stand (${job.reason}): see squeue, or scontrol show job ${name}`,
      )
    }
  }

  #stateOf(task: SiteTask, job: SlurmJobState | undefined): SiteState | undefined {
    const { claim } = task.attempt
    if (nameOf(task) === '') return this.#unclaimed(task)
    if (job === undefined) return this.#unknown(task)
    this.#unknownSince.delete(task.taskId)
    const isPutBack = isWaiting(job) && claim?.kind === 'taken'
    // It would wait there to be told that its attempt was started before.
    if (isPutBack) void this.#commands.cancel([job.name])
    if (!isOver(job) && !isPutBack)
      return isWaiting(job) && job.reason !== undefined
        ? { kind: 'alive', waits: waitsText('slurm', spoken(job.reason)) }
        : { kind: 'alive' }
    return { kind: 'over', judge: (told) => judge(job, task, told) }
  }

  /** No worker has come to it. Where none will, it is taken back, unless one came just now. */
  #unclaimed({ folder, taskId }: SiteTask): SiteState {
    const why = this.#workers?.troubleOf(taskId) ?? null
    if (why === null) return { kind: 'alive' }
    const withdrawn = folder.claim({ kind: 'withdrawn', as: 'gone', signal: '' })
    if (withdrawn.kind !== 'ok' || !withdrawn.value) return { kind: 'alive' }
    return { kind: 'over', judge: () => neverStarted('error', why, null) }
  }

  #unknown(task: SiteTask): SiteState | undefined {
    const now = this.#system.clock.monotonicSeconds()
    const since = this.#unknownSince.get(task.taskId) ?? now
    this.#unknownSince.set(task.taskId, since)
    if (now - since < forgottenSeconds) return undefined
    const gone = `Slurm knows nothing of job ${nameOf(task)} any more`
    return { kind: 'over', judge: (told) => told ?? { gone } }
  }
}

/** Slurm's own word, which its manual explains; it says `None` until it has looked at a job. */
const spoken = (reason: string): string => (reason === 'None' ? '' : reason)

/**
 * What Slurm calls the job of an attempt: the one that has taken it, which is another than the last that was submitted where
 * Slurm took one and did not say so. Nothing where a worker has not taken it yet.
 */
function nameOf({ handle, attempt }: SiteTask): string {
  const taker = attempt.claim?.kind === 'taken' ? attempt.claim.site['SLURM_JOB_ID'] : undefined
  const submitted = handle.site?.['slurm_job']
  return taker ?? (typeof submitted === 'string' ? submitted : '')
}
