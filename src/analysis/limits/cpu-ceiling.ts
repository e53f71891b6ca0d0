import { countCores } from '../../model/count.ts'
import type { AttemptRecord } from '../../model/record.ts'
import { containerCoresIn } from '../../model/usage.ts'

/** How many cores there were for a job to use, and what says so. */
export interface CpuCeiling {
  readonly cores: number
  /** What it asked for, the limit of its container, or all that the machine has. */
  readonly basis: 'request' | 'limit' | 'machine'
}

/** `4 cores`, `4 requested cores`, `the 2 cores that its container may use`. */
export function ceilingInWords({ cores, basis }: CpuCeiling): string {
  if (basis === 'limit') return `the ${countCores(cores)} that its container may use`
  return basis === 'request' ? countCores(cores).replace(' ', ' requested ') : countCores(cores)
}

/** What it asked for, or else the machine; but no more than its container may use. */
export function cpuCeiling({ requirements, machine, usage }: AttemptRecord): CpuCeiling | null {
  // A request of 0 is no request: nobody runs on nothing.
  const requested = requirements.cpus || null
  const cores = requested ?? (machine.cores || null)
  const limit = containerCoresIn(usage)
  if (limit !== null && (cores === null || limit < cores)) return { cores: limit, basis: 'limit' }
  if (cores === null) return null
  return { cores, basis: requested === null ? 'machine' : 'request' }
}
