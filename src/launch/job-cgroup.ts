import { unavailable, type Reading } from '../model/reading.ts'
import type { System } from '../system/system.ts'
import { removeEmptyCgroups } from './cgroup-leftovers.ts'
import { parentOf, type MadeCgroup } from './made-cgroup.ts'

const isV2 = (place: MadeCgroup): boolean => place.controller === 'v2'

/** Rounds to bring a family into a cgroup that has children meanwhile. */
const mostJoinRounds = 5

/**
 * A cgroup made for one job, in every hierarchy that helps to measure it.
 *
 * Moving a process makes the kernel wait until every CPU has taken note (an RCU grace period, some 8 ms after a quiet
 * time), but v1 lets a thread move itself in 60 µs. So where v1 can tell the CPU time, the job starts in v1
 * alone and joins v2, which knows of pressure, once it has lasted a while.
 */
export class JobCgroup {
  /** CPU seconds that we used while inside, to be taken off the job's account. */
  launcherCpuSeconds = 0
  readonly #system: System
  #places: readonly MadeCgroup[]
  #makeLater: (() => MadeCgroup | undefined) | undefined
  /** Where the job goes later. */
  #later: MadeCgroup | undefined
  #joinedLate = false

  constructor(
    system: System,
    places: readonly MadeCgroup[],
    makeLater: (() => MadeCgroup | undefined) | undefined,
  ) {
    this.#system = system
    this.#places = places
    this.#makeLater = makeLater
  }

  get v2(): string | null {
    return this.#places.find(isV2)?.directory ?? null
  }

  /** Whether there is a v2 that the job has not joined yet. */
  get joinsLater(): boolean {
    return this.#makeLater !== undefined || this.#later !== undefined
  }

  get v1(): ReadonlyMap<string, string> {
    const places = this.#places.filter((place) => !isV2(place))
    return new Map(places.map((place) => [place.controller, place.directory]))
  }

  /** Where the job began. */
  get directories(): readonly string[] {
    return this.#places.map(({ directory }) => directory)
  }

  /** Whether the job is in any of it: where we could not go in, neither could the job. */
  get inUse(): boolean {
    return this.#places.length > 0
  }

  /**
   * Has a process be born in the cgroup, so that not a single instruction of it is missed: `start` is told the directory of
   * v2 where the kernel can place the child itself, and what it can not is done from inside. `isStarted` says whether
   * that worked; if not, all of it is tried from inside.
   */
  startInside<T>(start: (into?: string) => T, isStarted: (answer: T) => boolean = () => true): T {
    const inV2 = this.#places.find(isV2)
    const direct = inV2 && this.#system.processes.spawnsIntoCgroups ? inV2 : undefined
    const answer = this.#startWithin(start, direct)
    return direct === undefined || isStarted(answer) ? answer : this.#startWithin(start, undefined)
  }

  #startWithin<T>(start: (into?: string) => T, direct: MadeCgroup | undefined): T {
    const { processes } = this.#system
    const wholeProcess = this.v2 !== null
    const ownSeconds = (): number =>
      wholeProcess ? processes.ownCpuSeconds() : processes.ownThreadCpuSeconds()
    let before = NaN
    const entered = this.#places.filter((place) => {
      const isInside = place === direct || this.#move(place, place.directory)
      // The first place is the one that counts CPU, and the kernel makes us wait before we are in, not after.
      if (Number.isNaN(before)) before = ownSeconds()
      return isInside
    })
    for (const place of this.#places)
      if (!entered.includes(place)) this.#system.files.removeDirectory(place.directory)
    this.#places = entered
    try {
      return start(direct?.directory)
    } finally {
      for (const place of entered) if (place !== direct) this.#move(place, place.home)
      // Where the child was placed from outside, nothing of ours is in its account.
      if (direct === undefined) this.launcherCpuSeconds += ownSeconds() - before || 0
    }
  }

  /** The v2 cgroup that the job is to join later, made if it is not there yet. */
  prepareLater(): string | null {
    this.#later ??= this.#makeLater?.()
    this.#makeLater = undefined
    return this.#later?.directory ?? null
  }

  /** Brings the job into v2 as well, if it is not there yet; the directory, if it is there now. */
  join(): string | null {
    const directory = this.prepareLater()
    const [from] = this.#places
    if (directory === null || this.#later === undefined || from === undefined) return this.v2
    for (let round = 0; round < mostJoinRounds; round++) {
      const inside = new Set(this.#members(directory))
      const outside = this.#members(from.directory).filter((pid) => !inside.has(pid))
      if (outside.length === 0) break
      // One that has just ended cannot go in, and need not.
      this.#system.files.writeEach(`${directory}/cgroup.procs`, outside)
    }
    if (this.#members(directory).length === 0) return null
    this.#places = [...this.#places, this.#later]
    this.#later = undefined
    this.#joinedLate = true
    return directory
  }

  /** Has the kernel hold the job to a limit. To be called after the start: the launcher itself must not meet it. */
  limitMemory(bytes: number): Reading<true> {
    const { files } = this.#system
    const memory = this.v1.get('memory')
    if (memory !== undefined) return files.write(`${memory}/memory.limit_in_bytes`, String(bytes))
    if (this.v2 === null) return unavailable('the job has no cgroup with a memory controller')
    // All or nothing: a job of which one process was shot is no use to anybody.
    files.write(`${this.v2}/memory.oom.group`, '1')
    files.write(`${this.v2}/memory.swap.max`, '0')
    return files.write(`${this.v2}/memory.max`, String(bytes))
  }

  /**
   * Kills everything inside at once; false where the kernel (before 5.14) cannot, and where a child may have been
   * born outside while the job joined.
   */
  kill(): boolean {
    if (this.v2 === null) return false
    const killed = this.#system.files.write(`${this.v2}/cgroup.kill`, '1').kind === 'ok'
    return killed && !this.#joinedLate
  }

  /** Removes it, unless processes live in it still: then it stays theirs until a later jobmeter finds it empty. */
  remove(): void {
    for (const { directory } of this.#all()) this.#system.files.removeDirectory(directory)
  }

  /** Removes those of jobmeters that were killed, or whose stragglers have ended since. */
  removeLeftovers(): void {
    for (const { directory } of this.#all()) removeEmptyCgroups(this.#system, parentOf(directory))
  }

  #all(): readonly MadeCgroup[] {
    return this.#later === undefined ? this.#places : [...this.#places, this.#later]
  }

  /** v2 takes whole processes; in v1 the thread that starts the job is enough, and it may move itself at once. */
  #move(place: MadeCgroup, to: string): boolean {
    const { files, processes } = this.#system
    const moved = isV2(place)
      ? files.write(`${to}/cgroup.procs`, String(processes.self))
      : files.write(`${to}/tasks`, '0')
    return moved.kind === 'ok'
  }

  #members(directory: string): string[] {
    const text = this.#system.files.readText(`${directory}/cgroup.procs`)
    return text.kind === 'ok' ? text.value.split('\n').filter((pid) => pid !== '') : []
  }
}
