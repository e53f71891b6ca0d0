import type { Usage } from '../model/usage.ts'
import type { ProcessStat } from '../sensors/procfs/stat.ts'
import type { KernelAccount, System } from '../system/system.ts'
import { Discovery } from './discovery.ts'
import type { FollowRequest } from './follow-request.ts'
import { FollowedJob, type MeterTools } from './followed-job.ts'
import type { Gauge } from './gauges/gauge.ts'
import { memoryGauge } from './gauges/memory.ts'
import { layOut } from './gauges/sample-layout.ts'
import { shippedGauges } from './gauges/shipped.ts'
import { GpuWatch } from './gpu-watch.ts'
import { MachineWatch } from './machine-watch.ts'
import type { Seeker } from './orphans.ts'
import { ProcessReader } from './process-reader.ts'

/** A look that is later than this is not left to the timer. */
const longestDelaySeconds = 0.2

/** Looks that take longer than this, all together, are those of a machine that hardly gives us a turn. */
const slowLooksSeconds = 0.1
/** Before the next ones others of this process get their turn for so many times as long: a worker has a lease to renew. */
const restAfterSlowLooks = 3

/** Follows any number of jobs with one timer. */
export class Meter {
  readonly #system: System
  readonly #reader: ProcessReader
  readonly #discovery: Discovery
  readonly #machine: MachineWatch
  #tools: MeterTools
  readonly #jobs = new Set<FollowedJob>()
  #families: readonly Seeker[] = []
  #cancelTimer: (() => void) | undefined
  #restsUntil = -Infinity
  /** The orphan that has just ended may have been any job's. */
  #isStray = false

  constructor(system: System, gauges: readonly Gauge[] = shippedGauges) {
    this.#system = system
    this.#reader = new ProcessReader(system)
    this.#discovery = new Discovery(system, this.#reader)
    this.#machine = new MachineWatch(system)
    this.#tools = {
      system,
      reader: this.#reader,
      machine: this.#machine,
      gpus: new GpuWatch(system),
      gauges,
      layout: layOut(gauges),
    }
    system.processes.onOrphan({
      ended: (pid) => this.#orphanEnded(pid),
      reaped: (pid, account) => this.#orphanReaped(pid, account),
    })
  }

  /** Has jobs that are followed from now on be measured with these gauges. */
  measureWith(gauges: readonly Gauge[]): void {
    this.#tools = { ...this.#tools, gauges, layout: layOut(gauges) }
  }

  /** What samples have, by name and in their order. */
  get columns(): readonly string[] {
    return this.#tools.layout.columns
  }

  /** Begins to follow a job. `further` gauges are of this job alone; they bring no columns. */
  follow(request: FollowRequest, further: readonly Gauge[] = []): FollowedJob {
    const asked = request.intervalSeconds === null ? [] : this.#tools.gauges
    const lacksMemory = request.memoryLookSeconds !== undefined && !asked.includes(memoryGauge)
    const own = lacksMemory ? [...asked, memoryGauge] : asked
    // Every sample has the columns of memory, whether or not they are filled: the others stay where they are.
    const layout = lacksMemory ? layOut(own) : this.#tools.layout
    const gauges = request.intervalSeconds === null ? own : [...own, ...further]
    const job = new FollowedJob({ ...this.#tools, gauges, layout }, request)
    this.#jobs.add(job)
    this.#noteFamilies()
    if (request.origin !== 'launched') {
      // Its processes may have been met before, as strangers.
      this.#discovery.beginAnew()
      this.#discovery.find(this.#families)
    }
    job.begin()
    // Who starts twenty at once on a busy machine must not keep the first from being looked at until the last is there.
    if (this.#soonestSeconds() < -longestDelaySeconds) this.#tick()
    else this.#schedule()
    return job
  }

  /** Looks for processes of the job that are not known yet, and at all of them. */
  refresh(job: FollowedJob, thorough = false): void {
    job.ask()
    this.#discovery.findNow(this.#families)
    job.look(thorough)
  }

  /** Looks at a job at once, as its timer would. */
  lookAt(job: FollowedJob): void {
    job.ask()
    this.#discovery.find(this.#families)
    job.look()
  }

  /** Resolves when it is known which GPUs there are. */
  gpusFound(): Promise<void> {
    return this.#tools.gpus.settled()
  }

  /**
   * Our children that belong to no job we know, such as orphans that came to us unseen, zombies included; undefined where
   * that cannot be told.
   */
  unknownChildren(): readonly number[] | undefined {
    return this.#discovery.unknownChildren(this.#families)
  }

  /** What the machine has in all; null where it does not tell. */
  machineMemoryBytes(): number | null {
    const bytes = this.#machine.usage.totalMemoryBytes
    return Number.isFinite(bytes) ? bytes : null
  }

  /** Parent, group and session of any process, as of now. The answer is reused by the next call. */
  identify(pid: number): ProcessStat | undefined {
    return this.#reader.identify(pid)
  }

  /** Stops following and draws up what the job used. */
  finish(job: FollowedJob, durationSeconds: number): Usage {
    const usage = job.end(durationSeconds)
    // Those it leaves behind, whom we may have adopted, are nobody else's.
    for (const { pid, startTicks } of job.family.living())
      this.#discovery.orphans.disown(pid, startTicks)
    job.close()
    this.#jobs.delete(job)
    this.#noteFamilies()
    this.#schedule()
    return usage
  }

  close(): void {
    this.#cancelTimer?.()
    for (const job of this.#jobs) job.close()
    this.#jobs.clear()
    this.#noteFamilies()
    this.#discovery.close()
    this.#machine.close()
    this.#tools.gpus.close()
  }

  /** Here, and not at each tick: what there is to follow changes far less often. */
  #noteFamilies(): void {
    this.#families = Array.from(this.#jobs, ({ family }) => family)
  }

  /** Of an orphan that has ended; it may have come and gone between two looks. */
  #jobOf(pid: number): FollowedJob | undefined {
    const jobs = [...this.#jobs]
    const known = jobs.find((job) => job.has(pid))
    if (known !== undefined || !this.#discovery.orphans.isOrphan(pid)) return known
    const owner = this.#discovery.orphans.ownerOf(pid, this.#families)
    return jobs.find(({ family }) => family === owner)
  }

  #orphanEnded(pid: number): void {
    const job = this.#jobOf(pid)
    job?.lookAtEnded(pid, null)
    this.#isStray = job === undefined ? this.#discovery.orphans.mayBeAnybodys(pid) : !job.has(pid)
  }

  #orphanReaped(pid: number, account: KernelAccount): void {
    const jobs = [...this.#jobs]
    // Found when it ended, if it was to be found at all: now nothing tells of it any more.
    const job = jobs.find((each) => each.has(pid))
    if (job !== undefined) job.retire(pid, account)
    else if (this.#isStray)
      for (const each of jobs) if (!each.family.keepsItsDead) each.mayLackOrphan()
    this.#discovery.forget(pid)
  }

  #schedule(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    const soonest = this.#soonestSeconds()
    if (soonest === Infinity) return
    const { clock } = this.#system
    const rest = this.#restsUntil - clock.monotonicSeconds()
    this.#cancelTimer = clock.after(Math.max(0, soonest, rest), () => this.#tick())
  }

  /** Until a look is due; less than 0 where one is overdue. */
  #soonestSeconds(): number {
    let soonest = Infinity
    for (const job of this.#jobs)
      soonest = Math.min(soonest, job.nextLookSeconds - job.elapsedSeconds())
    return soonest
  }

  #tick(): void {
    const { clock } = this.#system
    const begun = clock.monotonicSeconds()
    for (const job of this.#jobs) job.askIfDue()
    if (this.#areAsleep()) {
      const seek = (): void => this.#discovery.find(this.#families)
      this.#discovery.findWhileAsleep(this.#families)
      for (const job of this.#jobs) job.lookIfDue(seek)
    } else {
      this.#discovery.find(this.#families)
      for (const job of this.#jobs) job.lookIfDue()
    }
    const ended = clock.monotonicSeconds()
    if (ended - begun > slowLooksSeconds)
      this.#restsUntil = ended + restAfterSlowLooks * (ended - begun)
    this.#schedule()
  }

  #areAsleep(): boolean {
    for (const job of this.#jobs) if (!job.isAsleep) return false
    return true
  }
}
