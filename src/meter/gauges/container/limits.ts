import { measured, unmeasured, type Measured } from '../../../model/measured.ts'
import type { ContainerLimits } from '../../../sensors/container/inspected.ts'

type LimitKey =
  | 'containerCpuLimitPercent'
  | 'containerMemoryLimitBytes'
  | 'containerMemoryReservationBytes'
  | 'containerPidsLimit'

/** What a container may use, as figures. */
export function limitFigures(limits: ContainerLimits): Readonly<Record<LimitKey, Measured>> {
  const asked = (name: (typeof limits.odd)[number], what: string, unit = 1): Measured => {
    const limit = limits[name]
    if (limits.odd.includes(name))
      return unmeasured(`what the daemon gives as the ${what} of the container cannot be one`)
    return limit === null
      ? unmeasured(`the container has no ${what}`)
      : measured(unit * limit, 'as set when the container was made')
  }
  return {
    containerCpuLimitPercent: asked('cpus', 'CPU limit', 100),
    containerMemoryLimitBytes: asked('memoryBytes', 'memory limit'),
    containerMemoryReservationBytes: asked('memoryReservationBytes', 'memory reservation'),
    containerPidsLimit: asked('pids', 'limit of processes'),
  }
}
