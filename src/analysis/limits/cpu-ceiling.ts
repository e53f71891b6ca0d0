import type { JobRecord } from '../../model/record.ts'
import { containerCoresIn } from '../../model/usage.ts'

/** How many cores there were for a job to use, and what says so. */
export interface CpuCeiling {
  readonly cores: number
  /** What it asked for, the limit of its container, or all that the machine has. */
  readonly basis: 'request' | 'limit' | 'machine'
}

/** What it asked for, or else the machine; but no more than its container may use. */
export function cpuCeiling({ requirements, machine, usage }: JobRecord): CpuCeiling | null {
  // A request of 0 is no request: nobody runs on nothing.
  const requested = requirements.cpus || null
  const cores = requested ?? (machine.cores || null)
  const limit = containerCoresIn(usage)
  if (limit !== null && (cores === null || limit < cores)) return { cores: limit, basis: 'limit' }
  if (cores === null) return null
  return { cores, basis: requested === null ? 'machine' : 'request' }
}
