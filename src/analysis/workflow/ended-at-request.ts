import type { UtilizationRow } from '../../model/utilization-row.ts'
import { limitMetBytes } from '../limits/out-of-memory.ts'
import { saysOutOfMemory } from '../../model/outcome.ts'

/** What tells that an attempt was held to what it had asked for, and ended when it needed more. */
export type HeldAttempt = Pick<
  UtilizationRow,
  | 'status'
  | 'reason'
  | 'requirements'
  | 'durationSeconds'
  | 'processesKilledForMemory'
  | 'cgroupMemoryPeakBytes'
  | 'memoryLimitMetBytes'
>

/** Limits are set in whole pages, and reasons name them in tenths of a MB. */
const rounding = 0.99

/** Whether processes of it were killed at a limit that left it all the memory that it had asked for. */
export function killedAtRequest(attempt: HeldAttempt): boolean {
  const { reason, requirements, processesKilledForMemory } = attempt
  const requested = requirements.memoryBytes
  if (requested === null || (!saysOutOfMemory(reason) && !processesKilledForMemory)) return false
  const limit = limitMetBytes(attempt)
  return limit !== null && limit >= requested * rounding
}

/** Whether it was stopped for lasting longer than a limit that left it all the time that it had asked for. */
export function stoppedAtRequest({ status, requirements, durationSeconds }: HeldAttempt): boolean {
  const requested = requirements.runtimeSeconds
  return (
    status === 'timeout' &&
    requested !== null &&
    durationSeconds !== null &&
    durationSeconds >= requested * rounding
  )
}
