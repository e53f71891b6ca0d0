import type { System } from '../system/system.ts'
import { isKnown, type Orphans, type Seeker } from './orphans.ts'
import type { ProcessReader } from './process-reader.ts'
import { Ration } from './ration.ts'

/** Goes through all of /proc for processes that belong to jobs, and remembers who does not. */
export class ProcScan {
  readonly #system: System
  readonly #reader: ProcessReader
  readonly #orphans: Orphans
  readonly #ration: Ration
  /** Who is nobody's, and need not be looked into again. */
  readonly #strangers = new Set<number>()
  #isDue = false

  constructor(system: System, reader: ProcessReader, orphans: Orphans) {
    this.#system = system
    this.#reader = reader
    this.#orphans = orphans
    this.#ration = new Ration(system)
  }

  /** The last one was put off, because it would have been too dear. */
  get isDue(): boolean {
    return this.#isDue
  }

  /** The next one is not put off, whatever it costs. */
  hurry(): void {
    this.#ration.hurry()
  }

  /** Any pid may be another process now. */
  forgetAll(): void {
    this.#strangers.clear()
  }

  /** It has been reaped: its pid may name another process from now on. */
  forget(pid: number): void {
    this.#strangers.delete(pid)
  }

  /** Gives every seeker the processes that are its own, unless that is too dear just now. */
  run(seekers: readonly Seeker[]): 'somebody vanished' | undefined {
    const isFirst = this.#strangers.size === 0
    let isSettled = true
    this.#isDue = !this.#ration.spend(() => {
      const names = this.#system.files.list('/proc')
      if (names.kind === 'ok')
        isSettled = this.#assign(this.#unknownPids(names.value, seekers), seekers)
    })
    // The first time everyone has to be looked into, which says nothing of what the next time costs.
    if (isFirst) this.#ration.hurry()
    return isSettled ? undefined : 'somebody vanished'
  }

  #unknownPids(names: readonly string[], seekers: readonly Seeker[]): number[] {
    const unknown: number[] = []
    for (const name of names) {
      const first = name.charCodeAt(0)
      if (first < 48 || first > 57) continue
      const pid = Number(name)
      if (!this.#strangers.has(pid) && !isKnown(pid, seekers)) unknown.push(pid)
    }
    return unknown
  }

  /** False where somebody ended meanwhile, so that whose children are whose is to be asked once more. */
  #assign(unknown: readonly number[], seekers: readonly Seeker[]): boolean {
    let waiting = unknown.map((pid) => ({ pid, parentPid: this.#reader.identify(pid)?.parentPid }))
    const vanished = new Set<number>()
    for (const { pid, parentPid } of waiting) if (parentPid === undefined) vanished.add(pid)
    // A new grandchild is known only after its new parent: go round until nothing changes.
    for (let found = true; found;) {
      found = false
      const rest: typeof waiting = []
      for (const candidate of waiting) {
        const owner = this.#ownerOf(candidate.pid, candidate.parentPid, seekers)
        if (owner === undefined) rest.push(candidate)
        else if (owner.take(candidate.pid) === undefined) vanished.add(candidate.pid)
        else found = true
      }
      waiting = rest
    }
    // A parent ended while we looked: whose children and grandchildren these are is asked once more.
    if (waiting.some(({ parentPid }) => parentPid !== undefined && vanished.has(parentPid)))
      return false
    for (const { pid, parentPid } of waiting) if (parentPid !== undefined) this.#strangers.add(pid)
    return true
  }

  #ownerOf(
    pid: number,
    parentPid: number | undefined,
    seekers: readonly Seeker[],
  ): Seeker | undefined {
    if (parentPid === undefined || pid === this.#system.processes.self) return undefined
    const byParent = seekers.find((seeker) => seeker.has(parentPid))
    if (byParent !== undefined || !this.#orphans.isOrphan(pid)) return byParent
    const { processes } = this.#system
    if (parentPid === processes.self && processes.adoptsOrphans)
      return this.#orphans.ownerOf(pid, seekers)
    // Where orphans go to somebody else, nothing but their mark tells them from strangers.
    return processes.adoptsOrphans ? undefined : this.#orphans.ownerByMark(pid, seekers)
  }
}
