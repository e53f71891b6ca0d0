import type { CgroupUsage } from '../../../sensors/cgroup/cgroup-sensor.ts'
import type { Host } from '../../../system/system.ts'
import type { Members } from '../../members.ts'
import { withSlack, type Plausible } from '../../plausible.ts'

/** The CPU time of a job so far: of its cgroup where that tells, of its processes otherwise. It never goes back. */
export class JobCpu {
  userSeconds = 0
  systemSeconds = 0
  readonly #host: Host
  readonly #plausible: Plausible
  readonly #launcherSeconds: () => number

  /** `launcherSeconds`: what the launcher used inside the job's cgroup, which is not the job's. */
  constructor(host: Host, plausible: Plausible, launcherSeconds: () => number) {
    this.#host = host
    this.#plausible = plausible
    this.#launcherSeconds = launcherSeconds
  }

  get totalSeconds(): number {
    return this.userSeconds + this.systemSeconds
  }

  /** `byCgroup`: there is a cgroup that counts, even if it does not tell just now. */
  update(elapsedSeconds: number, cgroup: CgroupUsage, members: Members, byCgroup: boolean): void {
    const { usageSeconds } = cgroup
    if (usageSeconds >= 0 && usageSeconds <= this.#plausible.mostCpuSeconds) this.#take(cgroup)
    else this.#addUp(elapsedSeconds, members, byCgroup)
  }

  /**
   * The total is exact. Its halves are not: v1 counts them in ticks of 10 ms, and knows none of a short job. As the kernel
   * does for processes, they are taken for a proportion, and neither ever goes back.
   */
  #take({ usageSeconds, userSeconds, systemSeconds }: CgroupUsage): void {
    const launcher = this.#launcherSeconds()
    const total = Math.max(this.totalSeconds, usageSeconds - launcher)
    const user = userSeconds || 0
    // The launcher's moment inside was spent in the kernel, starting the job.
    const system = Math.max(0, (systemSeconds || 0) - launcher)
    const share = system === 0 ? 0 : system / (user + system)
    const before = { user: this.userSeconds, system: this.systemSeconds }
    // Not even by the last bit of a difference.
    this.systemSeconds = Math.max(before.system, Math.min(total * share, total - before.user))
    this.userSeconds = Math.max(before.user, total - this.systemSeconds)
  }

  #addUp(elapsedSeconds: number, members: Members, byCgroup: boolean): void {
    const { ticksPerSecond, onlineCores } = this.#host
    const totals = members.totals()
    const user = totals.userTicks / ticksPerSecond
    const system = totals.systemTicks / ticksPerSecond
    // Each process may be in bounds and their sum not: then some of them were garbled.
    if (user + system > withSlack(elapsedSeconds) * onlineCores) return
    // Ticks may lag behind a cgroup that told more before it fell silent.
    this.userSeconds = byCgroup ? Math.max(this.userSeconds, user) : user
    this.systemSeconds = byCgroup ? Math.max(this.systemSeconds, system) : system
  }
}
