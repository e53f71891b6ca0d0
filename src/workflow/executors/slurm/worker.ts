import type { System } from '../../../system/system.ts'
import { formatBytes } from '../../../model/bytes.ts'
import type { Claim } from '../../../model/claim.ts'
import { whyNot } from '../../../model/reading.ts'
import { Resources, type Capacity } from '../../run/capacity.ts'
import type { AttemptOrder } from '../../run/executor.ts'
import { AttemptFolder } from '../remote/attempt-folder.ts'
import type { AttemptHost } from '../remote/attempt-host.ts'
import { WaitingList, type WaitingJob } from './waiting-list.ts'
import { WorkerReports } from './worker-reports.ts'

/** Jobs that wait are looked for so often while there is room, and at once when one has ended. */
const lookSeconds = 0.5
/** One that has not fitted for so long is not overtaken any more. */
const patienceSeconds = 60

interface WorkerTools {
  readonly system: System
  readonly host: AttemptHost
  readonly directory: string
  readonly capacity: Capacity
  readonly environment: Readonly<Record<string, string | undefined>>
}

interface WorkerSettings {
  /** Takes jobs of this scheduler, and of none. */
  readonly scheduler: string | null
  /** Ends after so long without a job; null: only when it is told to. */
  readonly idleSeconds: number | null
  /** When the allocation ends, in seconds since 1970; a job that would take longer is not taken. */
  readonly endsAt: number | null
}

/** What an allocation has too little of, and the key of its scheduler that says how much it has. */
interface Lack {
  readonly lacks: string
  readonly key: string
}

/** Pulls jobs that wait and runs as many at once as fit into an allocation. */
export class Worker {
  taken = 0
  readonly #tools: WorkerTools
  readonly #settings: WorkerSettings
  readonly #list: WaitingList
  readonly #reports: WorkerReports
  /** Of the whole allocation; null: without end. */
  readonly #wholeSeconds: number | null
  readonly #toldMisfits = new Set<string>()
  readonly #free: Resources
  readonly #skippedSince = new Map<string, number>()
  #idleSince: number
  #isEnding = false
  #hasTrouble = false
  #wake: () => void = () => {}

  constructor(tools: WorkerTools, settings: WorkerSettings) {
    this.#tools = tools
    this.#settings = settings
    this.#list = new WaitingList(tools.system.files, tools.directory)
    this.#reports = new WorkerReports(tools.system.files, tools.directory)
    const { endsAt } = settings
    this.#wholeSeconds = endsAt === null ? null : endsAt - tools.system.clock.wallSeconds()
    this.#free = new Resources(tools.capacity)
    this.#idleSince = tools.system.clock.monotonicSeconds()
  }

  /** Until there is nothing left to do. */
  async run(): Promise<void> {
    while (!this.#isDone()) {
      if (!this.#isEnding) this.#takeWhatFits()
      await this.#pause()
    }
  }

  /** Takes no more, and has what runs end. */
  end(signal: NodeJS.Signals): void {
    this.#isEnding = true
    this.#tools.host.endAll(signal)
    this.#wake()
  }

  #isDone(): boolean {
    const { system, host, directory } = this.#tools
    const now = system.clock.monotonicSeconds()
    if (host.running > 0) {
      this.#idleSince = now
      return false
    }
    if (this.#isEnding) return true
    const { idleSeconds } = this.#settings
    const { isMissing } = system.files
    const isStopped = !isMissing(`${directory}/stop`) && this.#list.read().length === 0
    // Where its folder was removed, nobody will ever put a job into it.
    return (
      isStopped ||
      isMissing(directory) ||
      (idleSeconds !== null && now - this.#idleSince > idleSeconds)
    )
  }

  #takeWhatFits(): void {
    const now = this.#tools.system.clock.monotonicSeconds()
    for (const job of this.#list.read()) {
      if (!this.#isOurs(job)) continue
      if (this.#free.fits(job)) {
        this.#skippedSince.delete(job.taskId)
        this.#take(job, job.fileName)
        continue
      }
      const since = this.#skippedSince.get(job.taskId) ?? now
      this.#skippedSince.set(job.taskId, since)
      if (now - since > patienceSeconds) return
    }
  }

  #isOurs(job: WaitingJob): boolean {
    const { scheduler, runtimeSeconds } = job
    if (scheduler !== null && scheduler !== this.#settings.scheduler) return false
    const lacks = this.#lacksFor(job)
    if (lacks.length > 0) {
      // One that never fits here is for another worker.
      this.#tellMisfit(job, lacks)
      return false
    }
    const { endsAt } = this.#settings
    const leftSeconds = endsAt === null ? Infinity : endsAt - this.#tools.system.clock.wallSeconds()
    return (runtimeSeconds ?? 0) <= leftSeconds
  }

  /** What a job asks for that is more than all of this node that we have. */
  #lacksFor({ cpus, memoryBytes, gpus, runtimeSeconds }: WaitingJob): readonly Lack[] {
    const [node] = this.#tools.capacity.nodes
    if (node === undefined) return []
    const cards = node.gpus === 'given there' ? Infinity : node.gpus.length
    const whole = this.#wholeSeconds ?? Infinity
    const [asked, had] = [memoryBytes, node.memoryBytes].map((bytes) => formatBytes(bytes))
    return [
      ...(cpus > node.cpus
        ? [{ lacks: `${cpus} CPUs where the allocation has ${node.cpus}`, key: 'extra' }]
        : []),
      ...(memoryBytes > node.memoryBytes
        ? [{ lacks: `${asked} of memory where the allocation has ${had}`, key: 'mem' }]
        : []),
      ...(gpus > cards
        ? [{ lacks: `${gpus} GPUs where the allocation has ${cards}`, key: 'gres' }]
        : []),
      ...((runtimeSeconds ?? 0) > whole
        ? [
            {
              lacks: `${runtimeSeconds} s where the allocation lasts ${Math.floor(whole)} s`,
              key: 'walltime',
            },
          ]
        : []),
    ]
  }

  #tellMisfit({ taskId }: WaitingJob, lacks: readonly Lack[]): void {
    if (this.#toldMisfits.has(taskId)) return
    this.#toldMisfits.add(taskId)
    const { SLURM_JOB_ID: allocation = '', SLURMD_NODENAME: node = '' } = this.#tools.environment
    const { scheduler } = this.#settings
    this.#reports.tellMisfit(
      { taskId, allocation, scheduler, node },
      `it asks for ${lacks.map((each) => each.lacks).join(', ')} (Slurm job ${allocation}). Ask for more with ${lacks.map(({ key }) => `${key}:`).join(' and ')} of its entry in slurm_schedulers`,
    )
  }

  #take({ taskId, ...job }: WaitingJob, fileName: string): void {
    const { system, host, directory } = this.#tools
    const folder = new AttemptFolder(system.files, `${directory}/${taskId}`)
    const written = folder.readOrder()
    // The folder of one that is over may be gone before its name is.
    if (written.kind !== 'ok') {
      this.#list.remove(fileName)
      return
    }
    const claim: Claim = { cpus: job.cpus, memoryBytes: job.memoryBytes, gpus: job.gpus }
    const place = this.#free.take(claim)
    const order = heldToMemory(written.value.order)
    const begun = host.run(folder, order, this.#environmentWith(place.gpus, job.gpus))
    // Where it could not be taken it stays listed, for others and for another time.
    if (begun.kind === 'ok') this.#list.remove(fileName)
    else this.#tellTrouble(taskId, whyNot(begun))
    if (begun.kind !== 'ok' || begun.value === 'taken') {
      this.#free.giveBack(claim, place)
      return
    }
    this.taken += 1
    if (this.taken === 1) this.#reports.tellUsed(this.#tools.environment['SLURM_JOB_ID'] ?? '')
    void begun.value.then(() => {
      this.#free.giveBack(claim, place)
      this.#wake()
      return undefined
    })
  }

  /** Once: it is tried again every moment. */
  #tellTrouble(taskId: string, why: string): void {
    if (this.#hasTrouble) return
    this.#hasTrouble = true
    this.#tools.host.note(`task ${taskId} could not be taken, and is tried again: ${why}`)
  }

  #environmentWith(gpus: readonly string[], asked: number): WorkerTools['environment'] {
    const { environment } = this.#tools
    if (asked === 0) return environment
    const list = gpus.join(',')
    return { ...environment, CUDA_VISIBLE_DEVICES: list, ROCR_VISIBLE_DEVICES: list }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#tools.system.clock.after(lookSeconds, resolve)
      this.#wake = () => {
        cancel()
        resolve()
      }
    })
  }
}

/**
 * With the memory that it asks for as its limit, as Slurm has it for a job of its own: the rest of the allocation is for the
 * others in it.
 */
function heldToMemory(order: AttemptOrder): AttemptOrder {
  const { memoryBytes } = order.requirements
  if (memoryBytes === null || order.memoryLimitBytes !== null) return order
  return { ...order, memoryLimitBytes: memoryBytes, ownCgroup: true, besideCgroups: true }
}
