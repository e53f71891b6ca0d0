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

/**
 * An attempt may be ended at what it had asked for: then what it used says nothing of what it needed. One that was ended at a
 * higher limit used more than it had asked for, and how much more is known.
 */
export type EndedAt = 'request' | 'higher limit'

/** Where processes of it were killed for memory, if the limit left it all that it had asked for. */
export function killedAt(attempt: HeldAttempt): EndedAt | null {
  const { reason, requirements, processesKilledForMemory } = attempt
  const requested = requirements.memoryBytes
  if (requested === null || (!saysOutOfMemory(reason) && !processesKilledForMemory)) return null
  return endedAt(limitMetBytes(attempt), requested)
}

/** Where it was stopped for lasting longer than a limit, if that left it all the time that it had asked for. */
export function stoppedAt(attempt: HeldAttempt): EndedAt | null {
  const { status, reason, requirements, durationSeconds } = attempt
  const requested = requirements.runtimeSeconds
  if (status !== 'timeout' || requested === null || durationSeconds === null) return null
  const limit = timeLimitIn(reason)
  if (limit !== null) return endedAt(limit, requested)
  // It may have taken its time to end: how long it lasted does not tell a higher limit.
  return durationSeconds >= requested * rounding ? 'request' : null
}

function endedAt(limit: number | null, requested: number): EndedAt | null {
  if (limit === null || limit < requested * rounding) return null
  return limit <= requested / rounding ? 'request' : 'higher limit'
}

/** Its limit is in its reason alone. */
function timeLimitIn(reason: string | null): number | null {
  const seconds = /time limit of ([\d.]+) s/.exec(reason ?? '')?.[1]
  return seconds === undefined ? null : Number(seconds)
}
