import { emptyUsage } from '../../model/usage.ts'
import type { AttemptResult } from '../run/executor.ts'

/** Of an attempt of which nothing ever ran. `error` has the code with which a shell says that it could not start it. */
export function neverStarted(
  status: 'error' | 'cancelled',
  reason: string,
  intervalSeconds: number | null,
): AttemptResult {
  const exitCode = status === 'error' ? 126 : null
  return {
    durationSeconds: 0,
    outcome: { status, exitCode, signal: null, reason, stragglers: [] },
    usage: emptyUsage('it was never started'),
    samples: { collected: 0, intervalSeconds, late: 0, ownCpuSeconds: null },
    outline: [],
  }
}
