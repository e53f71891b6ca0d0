import { Loadavg, parseLoadavg } from '../sensors/procfs/loadavg.ts'
import type { System } from '../system/system.ts'
import type { ProcessReader } from './process-reader.ts'

/** A job that finds its processes by descent, because it has no cgroup of its own. */
export interface Seeker {
  /** Written in the environment of the job's processes, so that orphans can be told apart. */
  readonly mark: string | null
  has(pid: number): boolean
  take(pid: number): void
}

/** Share of the time that looking for new processes may take on a machine with very many. */
const scanShare = 0.01

/**
 * Finds the new processes of all jobs in one pass over /proc. The kernel tells the newest pid in
 * /proc/loadavg: while that stands still, nothing was started anywhere and the pass is left out.
 * Only pids never met before are looked into.
 */
export class Discovery {
  readonly #system: System
  readonly #reader: ProcessReader
  readonly #strangers = new Set<number>()
  /** Start times by pid. */
  readonly #disowned = new Map<number, number>()
  readonly #loadavg = new Loadavg()
  readonly #buffer = new Uint8Array(256)
  readonly #loadavgDescriptor: number
  #newestPid = -1
  #notBeforeSeconds = 0

  constructor(system: System, reader: ProcessReader) {
    this.#system = system
    this.#reader = reader
    this.#loadavgDescriptor = system.files.open('/proc/loadavg')
  }

  /** Gives every seeker the processes that are its own. */
  scan(seekers: readonly Seeker[]): void {
    if (seekers.length === 0 || !this.#somethingStarted()) return
    const { clock, processes } = this.#system
    if (clock.monotonicSeconds() < this.#notBeforeSeconds) {
      this.#newestPid = -1 // still to be done, as soon as the time allows
      return
    }
    // By our CPU time: on a busy machine the clock would count the time that we waited for our turn.
    const begun = processes.ownCpuSeconds()
    const names = this.#system.files.list('/proc')
    if (names.kind !== 'ok') return
    this.#assign(this.#unknownPids(names.value, seekers), seekers)
    const cost = processes.ownCpuSeconds() - begun
    // Small machines are scanned in a fraction of a millisecond: no need to hold back there.
    this.#notBeforeSeconds = cost < 0.001 ? 0 : clock.monotonicSeconds() + cost / scanShare
  }

  /** Has the next scan wait no longer. */
  hurry(): void {
    this.#notBeforeSeconds = 0
  }

  /** A process left behind by a job that is over: no later job may take it for its own orphan. */
  disown(pid: number, startTicks: number): void {
    this.#disowned.set(pid, startTicks)
  }

  isDisowned(pid: number): boolean {
    return this.#disowned.has(pid)
  }

  /** It has been reaped: its pid may name another process from now on. */
  forget(pid: number): void {
    this.#disowned.delete(pid)
    this.#strangers.delete(pid)
  }

  /** Looks at every process once more, and at once. */
  beginAnew(): void {
    this.#strangers.clear()
    this.#newestPid = -1
    this.#notBeforeSeconds = 0
  }

  close(): void {
    if (this.#loadavgDescriptor >= 0) this.#system.files.close(this.#loadavgDescriptor)
  }

  #somethingStarted(): boolean {
    const length = this.#system.files.read(this.#loadavgDescriptor, this.#buffer)
    if (length <= 0 || !parseLoadavg(this.#buffer, length, this.#loadavg)) return true
    const newest = this.#loadavg.lastPid
    if (newest === this.#newestPid) return false
    // Pids began anew from the bottom: any number may be another process now.
    if (newest < this.#newestPid) this.#strangers.clear()
    this.#newestPid = newest
    return true
  }

  #unknownPids(names: readonly string[], seekers: readonly Seeker[]): number[] {
    const unknown: number[] = []
    for (const name of names) {
      const first = name.charCodeAt(0)
      if (first < 48 || first > 57) continue
      const pid = Number(name)
      if (this.#strangers.has(pid) || seekers.some((seeker) => seeker.has(pid))) continue
      unknown.push(pid)
    }
    return unknown
  }

  #assign(unknown: readonly number[], seekers: readonly Seeker[]): void {
    let waiting = unknown.map((pid) => this.#candidate(pid))
    const vanished = new Set<number>()
    for (const { pid, parentPid } of waiting) if (parentPid === undefined) vanished.add(pid)
    // A new grandchild is known only after its new parent: go round until nothing changes.
    for (let found = true; found;) {
      found = false
      const rest: typeof waiting = []
      for (const candidate of waiting) {
        const owner = this.#owner(candidate.pid, candidate.parentPid, seekers)
        if (owner === undefined) rest.push(candidate)
        else {
          owner.take(candidate.pid)
          if (owner.has(candidate.pid)) found = true
          else vanished.add(candidate.pid)
        }
      }
      waiting = rest
    }
    // A parent ended while we looked: whose children and grandchildren these are is asked once more.
    if (waiting.some(({ parentPid }) => parentPid !== undefined && vanished.has(parentPid)))
      this.#newestPid = -1
    else
      for (const { pid, parentPid } of waiting)
        if (parentPid !== undefined) this.#strangers.add(pid)
  }

  #candidate(pid: number): { readonly pid: number; readonly parentPid: number | undefined } {
    const stat = this.#reader.identify(pid)
    const left = this.#disowned.get(pid)
    if (stat === undefined || left === undefined) return { pid, parentPid: stat?.parentPid }
    if (left === stat.startTicks) return { pid, parentPid: 0 } // a parent that nobody has
    this.#disowned.delete(pid)
    return { pid, parentPid: stat.parentPid }
  }

  #owner(
    pid: number,
    parentPid: number | undefined,
    seekers: readonly Seeker[],
  ): Seeker | undefined {
    if (parentPid === undefined) return undefined
    const byParent = seekers.find((seeker) => seeker.has(parentPid))
    if (byParent !== undefined) return byParent
    if (parentPid !== this.#system.processes.self) return undefined
    return this.#ownerOfOrphan(pid, seekers)
  }

  /** An orphan that we adopted before ever seeing it in its family. */
  #ownerOfOrphan(pid: number, seekers: readonly Seeker[]): Seeker | undefined {
    const marked = seekers.filter((seeker) => seeker.mark !== null)
    if (marked.length <= 1) return marked[0]
    const environment = this.#system.files.readText(`/proc/${pid}/environ`)
    if (environment.kind !== 'ok') return undefined
    return marked.find((seeker) => environment.value.includes(seeker.mark ?? '\n'))
  }
}
