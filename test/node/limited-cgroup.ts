import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'

/** What a runtime makes for a container: a cgroup with an id of 64 digits for a name, and a limit of memory. */
export interface LimitedCgroup extends Disposable {
  readonly id: string
  /** Where a process writes its pid to be in it. */
  readonly procs: string
}

const v1 = '/sys/fs/cgroup/memory'
const isV1 = existsSync(`${v1}/memory.limit_in_bytes`)

export function limitedCgroup(seed: number, bytes: number): LimitedCgroup {
  const id = (seed % 16).toString(16).repeat(64)
  const parent = isV1 ? v1 : '/sys/fs/cgroup'
  if (!isV1) writeFileSync(`${parent}/cgroup.subtree_control`, '+memory')
  const directory = `${parent}/${id}`
  mkdirSync(directory, { recursive: true })
  writeFileSync(`${directory}/${isV1 ? 'memory.limit_in_bytes' : 'memory.max'}`, bytes.toFixed())
  return {
    id,
    procs: `${directory}/cgroup.procs`,
    [Symbol.dispose]: () => rmdirSync(directory),
  }
}
