import type { FollowedJob } from '../meter/followed-job.ts'
import type { Meter } from '../meter/meter.ts'
import type { System } from '../system/system.ts'
import type { JobCgroup } from './job-cgroup.ts'

const killAgainSeconds = 0.05
const mostKillRounds = 100

interface StartedJob {
  readonly system: System
  readonly meter: Meter
  readonly cgroup: JobCgroup | null
  readonly followed: FollowedJob
  readonly pid: number
  /** Whether it leads a process group of its own. */
  readonly hasOwnGroup: boolean
}

/** All processes of a running job: how a signal reaches every one of them, and how all are killed. */
export class JobProcesses {
  readonly #started: StartedJob
  #mainIsReaped = false
  #isKilling = false
  #isOver = false

  constructor(started: StartedJob) {
    this.#started = started
  }

  /** From now on the main process's pid may name another process. */
  mainIsReaped(): void {
    this.#mainIsReaped = true
  }

  /** The job is over: whoever is left may stay. */
  letGo(): void {
    this.#isOver = true
  }

  /** To the group, which no child can escape unnoticed, and to those that have left it. */
  signalAll(signal: NodeJS.Signals): void {
    const { system, pid: main, hasOwnGroup } = this.#started
    const { processes } = system
    const living = this.#living()
    const inGroup = new Set(hasOwnGroup ? living.filter((pid) => this.#groupOf(pid) === main) : [])
    // The number of a reaped process is another's sooner or later, but not while one of ours is in its group.
    const isOurs = !this.#mainIsReaped || inGroup.size > 0
    if (isOurs) processes.signal(hasOwnGroup ? -main : main, signal)
    for (const pid of living) if (pid !== main && !inGroup.has(pid)) processes.signal(pid, signal)
  }

  killAll(): void {
    if (!this.#isKilling) this.#kill(0)
  }

  #kill(round: number): void {
    const { system, meter, cgroup, followed } = this.#started
    this.#isKilling = true
    // The group of a reaped process is killed only for one who is known to be in it.
    if (round === 0 && this.#mainIsReaped) meter.refresh(followed)
    if (cgroup?.kill() !== true) this.signalAll('SIGKILL')
    const isDone = this.#mainIsReaped && this.#living().length === 0
    if (isDone || round >= mostKillRounds) {
      // Somebody may be found later whom no look had seen, and whoever asks again wants it tried again.
      this.#isKilling = false
      return
    }
    // New children may have been born between the look and the signal: again, until none is left.
    system.clock.after(killAgainSeconds, () => {
      if (this.#isOver) return
      meter.refresh(followed)
      this.#kill(round + 1)
    })
  }

  #living(): number[] {
    return this.#started.followed.livingPids()
  }

  #groupOf(pid: number): number | undefined {
    return this.#started.meter.identify(pid)?.groupId
  }
}
