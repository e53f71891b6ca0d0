import { hourSeconds } from '../../model/time-parts.ts'
import type { JobRecord } from '../../model/record.ts'
import type { MemoryTrend } from './leak.ts'

/** When a leaking job would have no memory left, in seconds since its start. */
export interface LimitReached {
  readonly limit: 'request' | 'machine'
  readonly bytes: number
  readonly atSeconds: number
}

/** The line of a leak, drawn on to what the job asked for, or to all that the machine has. */
export function leakLimit(trend: MemoryTrend, record: JobRecord): LimitReached | null {
  if (trend.kind !== 'leak') return null
  const { endBytes, toSeconds, bytesPerHour } = trend.leak
  const requested = record.requirements.memoryBytes || null
  const bytes = requested ?? record.machine.memoryBytes
  if (bytes === null) return null
  const limit = requested === null ? 'machine' : 'request'
  const atSeconds = toSeconds + ((bytes - endBytes) / bytesPerHour) * hourSeconds
  return { limit, bytes, atSeconds: Math.max(0, atSeconds) }
}
