import { ok, unavailable, type Reading } from '../../model/reading.ts'
import type { Files } from '../../system/system.ts'
import { readHierarchyOf } from '../cgroup/hierarchy.ts'
import { parseNumberFile } from '../cgroup/number-file.ts'
import { parseThrottling, type Throttling } from '../cgroup/throttling.ts'
import { type NetTotals, parseNetDev } from '../procfs/net-dev.ts'
import { ReadBuffer } from '../read-buffer.ts'

/** Where the cgroup of a container is, in each tree. */
export interface ContainerDirectories {
  readonly v2: string | null
  readonly v1: ReadonlyMap<string, string>
}

const controllers = ['memory', 'cpuacct', 'cpu', 'blkio', 'pids']

/**
 * Finds the cgroup of a container by its main process. A daemon in another pid namespace, or on another machine, gives
 * pids that are somebody else's here: only a cgroup that is named after the container is taken for its own.
 */
export function findContainerCgroup(
  files: Files,
  pid: number,
  id: string,
): Reading<ContainerDirectories> {
  const found = readHierarchyOf(files, pid, controllers)
  if (found.kind !== 'ok') return found
  const v2 = wholeCgroup(found.value.v2?.directory ?? '', id)
  const v1 = new Map<string, string>()
  for (const [controller, { directory }] of found.value.v1) {
    const whole = wholeCgroup(directory, id)
    if (whole !== null) v1.set(controller, whole)
  }
  return v2 === null && v1.size === 0
    ? unavailable(`process ${pid} is not in a cgroup of the container`)
    : ok({ v2, v1 })
}

/**
 * Up to the directory that is named after the container: where its main process is systemd, that stands in `init.scope` below
 * it, and all that it starts in others.
 */
function wholeCgroup(directory: string, id: string): string | null {
  const at = directory.indexOf(id)
  if (at < 0) return null
  const end = directory.indexOf('/', at)
  return end < 0 ? directory : directory.slice(0, end)
}

/** What a container has besides what every cgroup tells: throttling, the number of its threads, and its network. */
export class ContainerFiles {
  readonly #throttlingPath: string | null
  readonly #files: Files
  readonly #buffer = new ReadBuffer()
  readonly #pidsPath: string | null
  readonly #netPath: string

  constructor(files: Files, { v2, v1 }: ContainerDirectories, pid: number) {
    this.#files = files
    this.#netPath = `/proc/${pid}/net/dev`
    const tree = (controller: string): string | null => v1.get(controller) ?? v2
    const [cpu, pids] = [tree('cpu'), tree('pids')]
    this.#throttlingPath = cpu === null ? null : `${cpu}/cpu.stat`
    this.#pidsPath = pids === null ? null : `${pids}/pids.current`
  }

  /** False where no limit is set, or the container has ended. */
  readThrottling(into: Throttling): boolean {
    const length = this.#read(this.#throttlingPath)
    return length >= 0 && parseThrottling(this.#buffer.bytes, length, into)
  }

  /** Threads, as the kernel counts them for `--pids-limit`; NaN where it does not. */
  readPids(): number {
    const length = this.#read(this.#pidsPath)
    return length < 0 ? NaN : parseNumberFile(this.#buffer.bytes, length)
  }

  /** Of all interfaces of its main process but the loopback. */
  readNetwork(into: NetTotals): boolean {
    const length = this.#read(this.#netPath)
    return length >= 0 && parseNetDev(this.#buffer.bytes, length, into)
  }

  #read(path: string | null): number {
    if (path === null) return -1
    const descriptor = this.#files.open(path)
    if (descriptor < 0) return -1
    const length = this.#buffer.read(this.#files, descriptor)
    this.#files.close(descriptor)
    return length
  }
}
