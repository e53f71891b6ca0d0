/** A thread of the job. Counters are of the thread alone and only grow. */
export interface SeenThread {
  readonly pid: number
  readonly tid: number
  readonly startTicks: number
  name: string
  userTicks: number
  systemTicks: number
  /** The last look at which it was read. */
  seenAtLook: number
  /** What it had used before anything of it counts. */
  readonly baseTicks: number
}

/** Of more, those that did least are forgotten. */
const mostKept = 512

export const ticksOf = ({ userTicks, systemTicks, baseTicks }: SeenThread): number =>
  userTicks + systemTicks - baseTicks

/** What a thread's own file said at a look. */
export interface ThreadReading {
  readonly startTicks: number
  readonly userTicks: number
  readonly systemTicks: number
}

/** Every thread that was seen, living or not, as far as it may still be among the busiest. */
export class ThreadTable {
  readonly #sinceTicks: number
  #byTid = new Map<number, SeenThread>()
  /** The key for the next whose id was given to another; no thread has such an id. */
  #nextKey = -1
  /** Counts the looks. */
  look = 0

  /** `sinceTicks`: of threads that began before, what they did until they were first seen does not count. */
  constructor(sinceTicks: number) {
    this.#sinceTicks = sinceTicks
  }

  note(pid: number, tid: number, reading: ThreadReading, name: string): void {
    const { startTicks, userTicks, systemTicks } = reading
    const known = this.#byTid.get(tid)
    if (known?.startTicks === startTicks) {
      known.seenAtLook = this.look
      known.userTicks = userTicks
      known.systemTicks = systemTicks
      // Most threads are named by their program a moment after they begin.
      if (name !== '') known.name = name
      return
    }
    // A thread that had this id before is kept: its CPU time was the job's.
    if (known !== undefined) this.#byTid.set(this.#nextKey--, known)
    const baseTicks = startTicks >= this.#sinceTicks ? 0 : userTicks + systemTicks
    const seenAtLook = this.look
    this.#byTid.set(tid, {
      pid,
      tid,
      startTicks,
      name,
      userTicks,
      systemTicks,
      baseTicks,
      seenAtLook,
    })
    if (this.#byTid.size > mostKept) this.#forgetIdle()
  }

  /** So many that used most CPU time, the busiest first. Those that used none are not among them. */
  busiest(count: number): readonly SeenThread[] {
    return [...this.#byTid.values()]
      .filter((thread) => ticksOf(thread) > 0)
      .toSorted((a, b) => ticksOf(b) - ticksOf(a))
      .slice(0, count)
  }

  #forgetIdle(): void {
    const kept = [...this.#byTid].toSorted(([, a], [, b]) => ticksOf(b) - ticksOf(a))
    this.#byTid = new Map(kept.slice(0, mostKept / 2))
  }
}
