import { parseMountinfo, type CgroupMount } from '../../sensors/procfs/mountinfo.ts'
import type { Files } from '../../system/system.ts'

/** Where the trees of cgroups are mounted, to read files of any cgroup by its place in a tree. */
export class CgroupMounts {
  readonly #files: Files
  readonly #mounts: readonly CgroupMount[]

  constructor(files: Files) {
    this.#files = files
    const mountinfo = files.readText('/proc/self/mountinfo')
    this.#mounts = (mountinfo.kind === 'ok' ? parseMountinfo(mountinfo.value) : undefined) ?? []
  }

  /** A file of a job's cgroup in the tree of a controller, '' for v2; undefined where there is none. */
  read(cgroups: ReadonlyMap<string, string>, controller: string, name: string): string | undefined {
    const directory = cgroups.get(controller)
    if (directory === undefined) return undefined
    const mount = this.#mounts.find(({ kind, controllers }) =>
      controller === '' ? kind === 'v2' : controllers.includes(controller),
    )
    if (mount === undefined) return undefined
    const text = this.#files.readText(`${mount.mountPoint}${directory}/${name}`)
    return text.kind === 'ok' ? text.value.trim() : undefined
  }
}
