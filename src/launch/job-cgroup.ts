import { ok, unavailable, type Reading } from '../model/reading.ts'
import { readHierarchy, type CgroupHierarchy } from '../sensors/cgroup/hierarchy.ts'
import type { System } from '../system/system.ts'

/** Our cgroups carry the pid of the jobmeter that made them, so that a later one can tell who is gone. */
const namePrefix = 'jobmeter-'
const ourName = /^jobmeter-(\d+)-\d+$/

interface Place {
  readonly controller: string
  readonly home: string
  readonly directory: string
}

/** A cgroup made for one job, in every hierarchy that helps to measure it. */
export class JobCgroup {
  /** CPU seconds that we used while inside, to be taken off the job's account. */
  launcherCpuSeconds = 0
  readonly #system: System
  #places: readonly Place[]

  constructor(system: System, places: readonly Place[]) {
    this.#system = system
    this.#places = places
  }

  get v2(): string | null {
    return this.#places.find((place) => place.controller === 'v2')?.directory ?? null
  }

  get v1(): ReadonlyMap<string, string> {
    const places = this.#places.filter((place) => place.controller !== 'v2')
    return new Map(places.map((place) => [place.controller, place.directory]))
  }

  /** Whether the job is in any of it: where we could not go in, neither could the job. */
  get inUse(): boolean {
    return this.#places.length > 0
  }

  /**
   * Runs something from inside, so that a process it starts is born in the cgroup and not a single
   * instruction of it is missed. libc's `posix_spawn` cannot place a child by itself before glibc 2.39.
   */
  startInside<T>(start: () => T): T {
    const { processes } = this.#system
    const before = processes.ownCpuSeconds()
    const entered = this.#places.filter((place) => this.#move(place.directory))
    for (const place of this.#places)
      if (!entered.includes(place)) this.#system.files.removeDirectory(place.directory)
    this.#places = entered
    try {
      return start()
    } finally {
      for (const place of entered) this.#move(place.home)
      this.launcherCpuSeconds += processes.ownCpuSeconds() - before
    }
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

  /** Kills everything inside at once; false where the kernel (before 5.14) cannot. */
  kill(): boolean {
    return this.v2 !== null && this.#system.files.write(`${this.v2}/cgroup.kill`, '1').kind === 'ok'
  }

  /** Removes it, unless processes live in it still: then it stays theirs until a later jobmeter finds it empty. */
  remove(): void {
    for (const place of this.#places) {
      this.#system.files.removeDirectory(place.directory)
      removeEmptyLeftovers(this.#system, parentOf(place.directory))
    }
  }

  #move(directory: string): boolean {
    const { files, processes } = this.#system
    return files.write(`${directory}/cgroup.procs`, String(processes.self)).kind === 'ok'
  }
}

/** Makes cgroups for jobs wherever that is allowed. */
export class JobCgroups {
  readonly #system: System
  readonly #hierarchy: Reading<CgroupHierarchy>
  #made = 0

  constructor(system: System) {
    this.#system = system
    this.#hierarchy = readHierarchy(system.files)
  }

  make(): Reading<JobCgroup> {
    const hierarchy = this.#hierarchy
    if (hierarchy.kind !== 'ok') return hierarchy
    this.#made += 1
    const name = `${namePrefix}${this.#system.processes.self}-${this.#made}`
    const places: Place[] = []
    const { v2, v1 } = hierarchy.value
    if (v2 !== null) {
      // Beside us rather than below: a cgroup with processes of its own may not give controllers to children.
      const beside = v2.directory === v2.mountPoint ? [] : [parentOf(v2.directory)]
      const place = makeIn(this.#system, 'v2', v2.directory, [...beside, v2.directory], name)
      if (place !== undefined) places.push(place)
    }
    // With v2 at hand, v1 is only needed for memory; without it, for the CPU account too.
    for (const controller of places.length > 0 ? ['memory'] : ['memory', 'cpuacct']) {
      const home = v1.get(controller)?.directory
      const place =
        home === undefined ? undefined : makeIn(this.#system, controller, home, [home], name)
      if (place !== undefined) places.push(place)
    }
    return places.length > 0
      ? ok(new JobCgroup(this.#system, places))
      : unavailable('no cgroup here is ours to divide (it needs root, or a delegated cgroup)')
  }
}

function makeIn(
  system: System,
  controller: string,
  home: string,
  parents: readonly string[],
  name: string,
): Place | undefined {
  const { files } = system
  // We must be able to come back.
  if (!files.isWritable(`${home}/cgroup.procs`)) return undefined
  for (const parent of parents) {
    const directory = `${parent}/${name}`
    // Moving between two cgroups takes the right to write to what they have in common.
    if (!files.isWritable(`${parent}/cgroup.procs`)) continue
    if (files.makeDirectory(directory).kind === 'ok') return { controller, home, directory }
  }
  return undefined
}

/** Cgroups of jobmeters that were killed, or whose stragglers have ended since. */
function removeEmptyLeftovers(system: System, parent: string): void {
  const names = system.files.list(parent)
  if (names.kind !== 'ok') return
  for (const name of names.value) {
    const owner = Number(ourName.exec(name)?.[1] ?? NaN)
    if (Number.isNaN(owner) || owner === system.processes.self || isAlive(system, owner)) continue
    // Fails, as it should, while processes live in it.
    system.files.removeDirectory(`${parent}/${name}`)
  }
}

function parentOf(directory: string): string {
  return directory.slice(0, directory.lastIndexOf('/'))
}

function isAlive(system: System, pid: number): boolean {
  return system.files.readText(`/proc/${pid}/stat`).kind === 'ok'
}
