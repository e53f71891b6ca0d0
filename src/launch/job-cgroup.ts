import { ok, unavailable, type Reading } from '../model/reading.ts'
import { readHierarchy, type CgroupHierarchy } from '../sensors/cgroup/hierarchy.ts'
import type { System } from '../system/system.ts'

/**
 * Our cgroups carry the pid of the jobmeter that made them, and the pid namespace that this is the pid in, so that a later
 * one can tell who is gone; and a random part, for in every container there is a process 2.
 */
const namePrefix = 'jobmeter-'
const ourName = /(?:^|\/)jobmeter-(\d+)-\d+(?:-(\d+)-[\da-f]{8})?$/

/** The pid of the jobmeter that made a cgroup of this name; NaN where none of us did. */
export const makerOf = (directory: string): number => Number(ourName.exec(directory)?.[1] ?? NaN)

interface Place {
  readonly controller: string
  readonly home: string
  readonly directory: string
}

const isV2 = (place: Place): boolean => place.controller === 'v2'

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
  #places: readonly Place[]
  #makeLater: (() => Place | undefined) | undefined
  /** Where the job goes later. */
  #later: Place | undefined
  #joinedLate = false

  constructor(
    system: System,
    places: readonly Place[],
    makeLater: (() => Place | undefined) | undefined,
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

  #startWithin<T>(start: (into?: string) => T, direct: Place | undefined): T {
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
    for (const { directory } of this.#all()) removeEmptyLeftovers(this.#system, parentOf(directory))
  }

  #all(): readonly Place[] {
    return this.#later === undefined ? this.#places : [...this.#places, this.#later]
  }

  /** v2 takes whole processes; in v1 the thread that starts the job is enough, and it may move itself at once. */
  #move(place: Place, to: string): boolean {
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

/** Makes cgroups for jobs wherever that is allowed. */
export class JobCgroups {
  readonly #system: System
  readonly #hierarchy: Reading<CgroupHierarchy>
  readonly #ending: string
  #made = 0

  constructor(system: System) {
    this.#system = system
    this.#hierarchy = readHierarchy(system.files)
    this.#ending = `${ownNamespace(system)}-${system.randomId().slice(0, 8)}`
  }

  make(): Reading<JobCgroup> {
    const hierarchy = this.#hierarchy
    if (hierarchy.kind !== 'ok') return hierarchy
    this.#made += 1
    const name = `${namePrefix}${this.#system.processes.self}-${this.#made}-${this.#ending}`
    const { v2, v1 } = hierarchy.value
    const inV1 = (controller: string): Place[] => {
      const home = v1.get(controller)?.directory
      return home === undefined ? [] : makeIn(this.#system, controller, home, [home], name)
    }
    const inV2 = (): Place[] => {
      if (v2 === null) return []
      // Beside us rather than below: a cgroup with processes of its own may not give controllers to children.
      const beside = v2.directory === v2.mountPoint ? [] : [parentOf(v2.directory)]
      return makeIn(this.#system, 'v2', v2.directory, [...beside, v2.directory], name)
    }
    const cpu = inV1('cpuacct')
    const places = [...(cpu.length > 0 ? cpu : inV2()), ...inV1('memory')]
    const later = cpu.length > 0 && v2 !== null ? () => inV2()[0] : undefined
    return places.length > 0
      ? ok(new JobCgroup(this.#system, places, later))
      : unavailable('no cgroup can be created here (that needs root or a delegated cgroup)')
  }
}

function makeIn(
  system: System,
  controller: string,
  home: string,
  parents: readonly string[],
  name: string,
): Place[] {
  const { files } = system
  // We must be able to come back.
  if (!files.isWritable(`${home}/cgroup.procs`)) return []
  for (const parent of parents) {
    const directory = `${parent}/${name}`
    // Moving between two cgroups takes the right to write to what they have in common.
    if (parent !== home && !files.isWritable(`${parent}/cgroup.procs`)) continue
    if (files.makeDirectory(directory).kind === 'ok') return [{ controller, home, directory }]
  }
  return []
}

function removeEmptyLeftovers(system: System, parent: string): void {
  const names = system.files.list(parent)
  if (names.kind !== 'ok') return
  const namespace = ownNamespace(system)
  for (const name of names.value) {
    const owner = makerOf(name)
    if (Number.isNaN(owner)) continue
    const isOver =
      (ourName.exec(name)?.[2] ?? namespace) === namespace
        ? owner !== system.processes.self && !isAlive(system, owner)
        : isOld(system, `${parent}/${name}`)
    // Fails, as it should, while processes live in it.
    if (isOver) system.files.removeDirectory(`${parent}/${name}`)
  }
}

/** The number of our pid namespace; 0 where the kernel does not tell. */
function ownNamespace({ files }: System): string {
  const link = files.readLink('/proc/self/ns/pid')
  return (link.kind === 'ok' ? /\d+/.exec(link.value)?.[0] : undefined) ?? '0'
}

/** Longer than anybody takes to put a job into a cgroup that was made for it. */
const emptySeconds = 60

function isOld({ files, clock }: System, directory: string): boolean {
  const found = files.fingerprint(directory)
  return found.kind === 'ok' && clock.wallSeconds() - found.value.modifiedSeconds > emptySeconds
}

function parentOf(directory: string): string {
  return directory.slice(0, directory.lastIndexOf('/'))
}

function isAlive(system: System, pid: number): boolean {
  return system.files.readText(`/proc/${pid}/stat`).kind === 'ok'
}
