import { ok, unavailable, type Reading } from '../model/reading.ts'
import {
  readHierarchy,
  type CgroupHierarchy,
  type CgroupPlace,
} from '../sensors/cgroup/hierarchy.ts'
import type { System } from '../system/system.ts'
import { cgroupName, nameEnding } from './cgroup-name.ts'
import { parentOf, type MadeCgroup } from './made-cgroup.ts'
import { JobCgroup } from './job-cgroup.ts'

/** Makes cgroups for jobs wherever that is allowed. */
export class JobCgroups {
  readonly #system: System
  readonly #hierarchy: Reading<CgroupHierarchy>
  readonly #ending: string
  #made = 0

  constructor(system: System) {
    this.#system = system
    this.#hierarchy = readHierarchy(system.files)
    this.#ending = nameEnding(system)
  }

  make(): Reading<JobCgroup> {
    const hierarchy = this.#hierarchy
    if (hierarchy.kind !== 'ok') return hierarchy
    this.#made += 1
    const name = cgroupName(this.#system.processes.self, this.#made, this.#ending)
    const { v2, v1 } = hierarchy.value
    const inV1 = (controller: string): MadeCgroup[] => {
      const home = v1.get(controller)?.directory
      return home === undefined ? [] : makeIn(this.#system, controller, home, [home], name)
    }
    const inV2 = (): MadeCgroup[] =>
      // Beside us rather than below: a cgroup with processes of its own may not give controllers to children.
      v2 === null
        ? []
        : makeIn(this.#system, 'v2', v2.directory, [...besideOf(v2), v2.directory], name)
    const cpu = inV1('cpuacct')
    const places = [...(cpu.length > 0 ? cpu : inV2()), ...inV1('memory')]
    const later = cpu.length > 0 && v2 !== null ? () => this.#below(name) : undefined
    return places.length > 0
      ? ok(new JobCgroup(this.#system, places, later))
      : unavailable('no cgroup can be created here (that needs root or a delegated cgroup)')
  }

  /**
   * One that only tells of pressure needs no controllers, and lies below where we are by now: within that of a job which we
   * are part of, and which has joined its own only after we were started.
   */
  #below(name: string): MadeCgroup | undefined {
    const hierarchy = readHierarchy(this.#system.files)
    const v2 = hierarchy.kind === 'ok' ? hierarchy.value.v2 : null
    if (v2 === null) return undefined
    return makeIn(this.#system, 'v2', v2.directory, [v2.directory, ...besideOf(v2)], name)[0]
  }
}

const besideOf = ({ directory, mountPoint }: CgroupPlace): readonly string[] =>
  directory === mountPoint ? [] : [parentOf(directory)]

function makeIn(
  system: System,
  controller: string,
  home: string,
  parents: readonly string[],
  name: string,
): MadeCgroup[] {
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
