import { memoryLimitIn } from '../../model/usage.ts'
import type { JobRecord } from '../../model/record.ts'

/** How much memory there was for a job to use, and what says so. */
export interface MemoryCeiling {
  readonly bytes: number
  /** What it asked for, the limit it was held to, or all that the machine has. */
  readonly basis: 'request' | 'limit' | 'machine'
}

/** What it asked for, or else the machine; but no more than it was limited to. */
export function memoryCeiling({ requirements, machine, usage }: JobRecord): MemoryCeiling | null {
  // A request of 0 is no request: nobody runs on nothing.
  const requested = requirements.memoryBytes || null
  const bytes = requested ?? (machine.memoryBytes || null)
  const limit = memoryLimitIn(usage)
  if (limit !== null && (bytes === null || limit < bytes)) return { bytes: limit, basis: 'limit' }
  if (bytes === null) return null
  return { bytes, basis: requested === null ? 'machine' : 'request' }
}
