import type { Reservation } from '../../model/node-round.ts'
import type { CgroupMounts } from '../cgroups/cgroup-mounts.ts'

/** More than any machine has stands for no limit. */
const noLimit = 2 ** 60

/** What a container may use at most, by its cgroups: the directory of each controller within its tree, '' for v2. */
export function containerLimits(
  mounts: CgroupMounts,
  cgroups: ReadonlyMap<string, string>,
  gpus: number | null,
): Reservation | null {
  const read = (controller: string, name: string): string | undefined =>
    mounts.read(cgroups, controller, name)
  const memory = Number(read('', 'memory.max') ?? read('memory', 'memory.limit_in_bytes'))
  const [quota, period] = (
    read('', 'cpu.max') ??
    `${read('cpu', 'cpu.cfs_quota_us') ?? ''} ${read('cpu', 'cpu.cfs_period_us') ?? ''}`
  )
    .split(' ')
    .map(Number)
  const cpus = (quota ?? 0) > 0 && (period ?? 0) > 0 ? (quota ?? 0) / (period ?? 1) : null
  const memoryBytes = memory > 0 && memory < noLimit ? memory : null
  if (cpus === null && memoryBytes === null && gpus === null) return null
  return { cpus, memoryBytes, gpus, runtimeSeconds: null, source: 'container' }
}
