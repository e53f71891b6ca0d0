import { hourSeconds } from '../../model/time-parts.ts'
import type { JobRecord } from '../../model/record.ts'
import { memoryCeiling, type MemoryCeiling } from '../limits/memory-ceiling.ts'
import type { MemoryTrend } from './leak.ts'

/** When a leaking job would have no memory left, in seconds since its start. */
export interface LimitReached {
  readonly limit: MemoryCeiling['basis']
  readonly bytes: number
  readonly atSeconds: number
}

/** The line of a leak, drawn on to the most that the job may hold, or that there is. */
export function leakLimit(trend: MemoryTrend, record: JobRecord): LimitReached | null {
  if (trend.kind !== 'leak') return null
  const { endBytes, toSeconds, bytesPerHour } = trend.leak
  const ceiling = memoryCeiling(record)
  if (ceiling === null) return null
  const { memoryBytes: machineBytes } = record.machine
  const { bytes, basis: limit }: MemoryCeiling =
    machineBytes && machineBytes < ceiling.bytes
      ? { bytes: machineBytes, basis: 'machine' }
      : ceiling
  const atSeconds = toSeconds + ((bytes - endBytes) / bytesPerHour) * hourSeconds
  return { limit, bytes, atSeconds: Math.max(0, atSeconds) }
}
