import type { Member } from '../../member.ts'
import type { ProcessReader } from '../../process-reader.ts'

/** What is looked at of a job of many processes at once: so many show whether it waits. */
const mostProcesses = 64

interface Told {
  readonly startTicks: number
  /** CPU time of the process and of children that it waited for, when its own was last read. */
  ticks: number
  ranSeconds: number
}

/**
 * For how long the processes of a job waited for a core, by the scheduler's account of the main thread of each. It tells nothing of
 * other threads, of processes that came and went between two looks, and of the last moments of most. Waits of several
 * are not added up: they may have waited at once. How long the busiest one ran says how much of the job it speaks for.
 */
export class CoreWaits {
  /** Of the thread that ran longest. */
  ranSeconds = 0
  waitedSeconds = 0
  readonly #reader: Pick<ProcessReader, 'readSchedstat'>
  readonly #told = new Map<number, Told>()

  constructor(reader: Pick<ProcessReader, 'readSchedstat'>) {
    this.#reader = reader
  }

  /** Reads those that did anything since they were last read. */
  look(members: ReadonlyMap<number, Member>): void {
    // What the dead did stands, and others need their places: a script may run many helpers before what it is for.
    for (const pid of this.#told.keys()) if (!members.has(pid)) this.#told.delete(pid)
    for (const member of members.values()) this.read(member)
  }

  read({ pid, startTicks, userTicks, systemTicks }: Member): void {
    const ticks = userTicks + systemTicks
    let told = this.#told.get(pid)
    if (told?.startTicks !== startTicks) {
      if (this.#told.size >= mostProcesses) return
      told = { startTicks, ticks: -1, ranSeconds: 0 }
      this.#told.set(pid, told)
    }
    if (told.ticks === ticks) return
    told.ticks = ticks
    const now = this.#reader.readSchedstat(pid)
    if (now === undefined || now.runSeconds < told.ranSeconds) return
    told.ranSeconds = now.runSeconds
    if (now.runSeconds < this.ranSeconds) return
    this.ranSeconds = now.runSeconds
    this.waitedSeconds = now.waitSeconds
  }
}
