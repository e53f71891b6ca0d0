import type { Usage } from '../model/usage.ts'
import { parseChildren } from '../sensors/procfs/children.ts'
import type { ProcessStat } from '../sensors/procfs/stat.ts'
import type { System } from '../system/system.ts'
import { Discovery } from './discovery.ts'
import { FollowedJob, type FollowRequest } from './followed-job.ts'
import { MachineWatch } from './machine-watch.ts'
import { ProcessReader } from './process-reader.ts'
import { reportUsage } from './usage-report.ts'

/** Follows any number of jobs with one timer. */
export class Meter {
  readonly #system: System
  readonly #reader: ProcessReader
  readonly #discovery: Discovery
  readonly #machine: MachineWatch
  readonly #jobs = new Set<FollowedJob>()
  readonly #childrenDescriptor: number
  readonly #childrenBuffer = new Uint8Array(4096)
  readonly #children: number[] = []
  #cancelTimer: (() => void) | undefined

  constructor(system: System) {
    this.#system = system
    this.#reader = new ProcessReader(system)
    this.#discovery = new Discovery(system, this.#reader)
    this.#machine = new MachineWatch(system)
    const { self } = system.processes
    this.#childrenDescriptor = system.files.open(`/proc/${self}/task/${self}/children`)
    system.processes.onOrphan({
      ended: (pid) => this.#jobOf(pid)?.lookAtEnded(pid),
      reaped: (pid, account) => {
        this.#jobOf(pid)?.retire(pid, account)
        this.#discovery.forget(pid)
      },
    })
  }

  /** Begins to follow a job. */
  follow(request: FollowRequest): FollowedJob {
    const job = new FollowedJob(this.#system, this.#reader, this.#machine, request)
    this.#jobs.add(job)
    if (request.origin === 'running') {
      // Its processes may have been met before, as strangers.
      this.#discovery.beginAnew()
      this.#scan()
      job.members.look(true)
      job.members.countFromHere()
      job.look()
    } else {
      job.glance()
    }
    this.#schedule()
    return job
  }

  /** Looks for processes of the job that are not known yet, and at all of them. */
  refresh(job: FollowedJob): void {
    // However much looking for them has cost already: who is not found now is never ended or named.
    this.#discovery.hurry()
    this.#scan()
    job.look()
  }

  /**
   * Whether we have children that belong to no job we know, such as orphans that came to us unseen. Where that cannot
   * be told it is so. One small file tells it; looking through all of /proc costs a millisecond on a large node.
   */
  hasUnknownChildren(): boolean {
    const { files, processes } = this.#system
    if (!processes.adoptsOrphans) return true
    this.#children.length = 0
    const length = files.read(this.#childrenDescriptor, this.#childrenBuffer)
    if (length < 0 || length === this.#childrenBuffer.length) return true
    if (!parseChildren(this.#childrenBuffer, length, this.#children)) return true
    return this.#children.some((pid) => {
      for (const job of this.#jobs) if (job.has(pid)) return false
      return true
    })
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
    job.end()
    const usage = reportUsage(job, this.#system, durationSeconds)
    // Those it leaves behind, whom we may have adopted, are nobody else's.
    for (const { pid, startTicks } of job.members.byPid.values())
      this.#discovery.disown(pid, startTicks)
    job.close()
    this.#jobs.delete(job)
    this.#schedule()
    return usage
  }

  close(): void {
    this.#cancelTimer?.()
    for (const job of this.#jobs) job.close()
    this.#jobs.clear()
    this.#discovery.close()
    this.#machine.close()
    if (this.#childrenDescriptor >= 0) this.#system.files.close(this.#childrenDescriptor)
  }

  #jobOf(pid: number): FollowedJob | undefined {
    for (const job of this.#jobs) if (job.has(pid)) return job
    // An orphan that came and went between two looks. With one job there is no doubt whose it was.
    if (this.#jobs.size !== 1 || this.#discovery.isDisowned(pid)) return undefined
    const [only] = this.#jobs
    return only?.request.origin === 'launched' ? only : undefined
  }

  #scan(): void {
    const seekers: FollowedJob[] = []
    for (const job of this.#jobs) if (job.seeks) seekers.push(job)
    this.#discovery.scan(seekers)
  }

  #schedule(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    let soonest = Infinity
    for (const job of this.#jobs)
      soonest = Math.min(soonest, job.pace.nextAtSeconds - job.elapsedSeconds())
    if (soonest === Infinity) return
    this.#cancelTimer = this.#system.clock.after(Math.max(0, soonest), () => this.#tick())
  }

  #tick(): void {
    this.#scan()
    for (const job of this.#jobs) {
      // A timer may fire a fraction of a millisecond before its time.
      const elapsed = job.elapsedSeconds()
      if (elapsed < job.pace.nextAtSeconds - 0.001) continue
      job.look()
      job.pace.looked(elapsed)
      job.handOn()
    }
    this.#schedule()
  }
}
