import { measured, unmeasured, type Measured } from '../../../model/measured.ts'
import type { ContainerLimits } from '../../../sensors/container/inspected.ts'

type LimitKey =
  | 'containerCpuLimitPercent'
  | 'containerMemoryLimitBytes'
  | 'containerMemoryReservationBytes'
  | 'containerPidsLimit'

/** What a container may use, as figures. */
export function limitFigures(limits: ContainerLimits): Readonly<Record<LimitKey, Measured>> {
  const asked = (limit: number | null, what: string): Measured =>
    limit === null
      ? unmeasured(`the container has no ${what}`)
      : measured(limit, 'as set when the container was made')
  return {
    containerCpuLimitPercent: asked(limits.cpus === null ? null : 100 * limits.cpus, 'CPU limit'),
    containerMemoryLimitBytes: asked(limits.memoryBytes, 'memory limit'),
    containerMemoryReservationBytes: asked(limits.memoryReservationBytes, 'memory reservation'),
    containerPidsLimit: asked(limits.pids, 'limit of processes'),
  }
}
