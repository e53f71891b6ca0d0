import { ok, unavailable, type Reading } from '../model/reading.ts'
import { readHierarchy } from '../sensors/cgroup/hierarchy.ts'
import type { System } from '../system/system.ts'

/** Our cgroups carry the pid of the jobmeter that made them, so that a later one can tell who is gone. */
const namePrefix = 'jobmeter-'

interface Place {
  readonly controller: string
  readonly home: string
  readonly directory: string
}

/** A cgroup made for one job, in every hierarchy that helps to measure it. */
export class JobCgroup {
  readonly v2: string | null
  readonly v1: ReadonlyMap<string, string>
  /** CPU seconds that we used while inside, to be taken off the job's account. */
  launcherCpuSeconds = 0
  readonly #system: System
  readonly #places: readonly Place[]

  constructor(system: System, places: readonly Place[]) {
    this.#system = system
    this.#places = places
    this.v2 = places.find((place) => place.controller === 'v2')?.directory ?? null
    this.v1 = new Map(
      places
        .filter((place) => place.controller !== 'v2')
        .map((place) => [place.controller, place.directory]),
    )
  }

  /**
   * Runs something from inside, so that a process it starts is born in the cgroup and not a single
   * instruction of it is missed. libc's `posix_spawn` cannot place a child by itself before glibc 2.39.
   */
  startInside<T>(start: () => T): T {
    const { processes } = this.#system
    const before = processes.ownCpuSeconds()
    for (const place of this.#places) this.#move(place.directory)
    try {
      return start()
    } finally {
      for (const place of this.#places) this.#move(place.home)
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

  #move(directory: string): void {
    this.#system.files.write(`${directory}/cgroup.procs`, String(this.#system.processes.self))
  }
}

/** Makes a cgroup for one job wherever that is allowed. */
export function makeJobCgroup(system: System, serial: number): Reading<JobCgroup> {
  const hierarchy = readHierarchy(system.files)
  if (hierarchy.kind !== 'ok') return hierarchy
  const name = `${namePrefix}${system.processes.self}-${serial}`
  const places: Place[] = []
  const { v2, v1 } = hierarchy.value
  if (v2 !== null) {
    // Beside us rather than below: a cgroup with processes of its own may not give controllers to children.
    const beside = v2.directory === v2.mountPoint ? [] : [parentOf(v2.directory)]
    const place = makeIn(system, 'v2', v2.directory, [...beside, v2.directory], name)
    if (place !== undefined) places.push(place)
  }
  // With v2 at hand, v1 is only needed for memory; without it, for the CPU account too.
  for (const controller of places.length > 0 ? ['memory'] : ['memory', 'cpuacct']) {
    const home = v1.get(controller)?.directory
    const place = home === undefined ? undefined : makeIn(system, controller, home, [home], name)
    if (place !== undefined) places.push(place)
  }
  return places.length > 0
    ? ok(new JobCgroup(system, places))
    : unavailable('no cgroup here is ours to divide (it needs root, or a delegated cgroup)')
}

function makeIn(
  system: System,
  controller: string,
  home: string,
  parents: readonly string[],
  name: string,
): Place | undefined {
  const { files, processes } = system
  // We must be able to come back: moving to where we already are changes nothing and proves it.
  if (files.write(`${home}/cgroup.procs`, String(processes.self)).kind !== 'ok') return undefined
  for (const parent of parents) {
    const directory = `${parent}/${name}`
    if (files.makeDirectory(directory).kind !== 'ok') continue
    if (files.write(`${directory}/cgroup.procs`, String(processes.self)).kind === 'ok') {
      files.write(`${home}/cgroup.procs`, String(processes.self))
      return { controller, home, directory }
    }
    files.removeDirectory(directory)
  }
  return undefined
}

/** Cgroups of jobmeters that were killed, or whose stragglers have ended since. */
function removeEmptyLeftovers(system: System, parent: string): void {
  const names = system.files.list(parent)
  if (names.kind !== 'ok') return
  for (const name of names.value) {
    if (!name.startsWith(namePrefix)) continue
    const owner = Number(name.slice(namePrefix.length).split('-')[0])
    if (owner === system.processes.self || isAlive(system, owner)) continue
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
