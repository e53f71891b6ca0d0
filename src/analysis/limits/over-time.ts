import type { AttemptRecord } from '../../model/record.ts'
import { requestMargins } from '../policy.ts'
import { upTo } from './out-of-memory.ts'

/** How long was not enough, for an attempt that its time limit ended; null for others. */
export const overTimeSeconds = ({
  status,
  durationSeconds,
}: Pick<AttemptRecord, 'status' | 'durationSeconds'>): number | null =>
  status === 'timeout' ? durationSeconds : null

/** The need of a job that was not done after so long. */
export const afterTimeout = (notEnough: number): number => notEnough * requestMargins.afterTimeout

/** What to ask for after an attempt that its time limit ended: the same wherever it is told. */
export function askAfterTimeout(record: AttemptRecord): number | null {
  const notEnough = overTimeSeconds(record)
  if (notEnough === null) return null
  const need = afterTimeout(notEnough)
  const requested = record.requirements.runtimeSeconds ?? 0
  return need <= requested ? requested : roundRuntime(need)
}

const wholeMinutesFrom = 300
/** A busy machine may take seconds to start anything. */
const leastRuntimeSeconds = 10

/** Whole minutes from five on, whole seconds below. */
export const roundRuntime = (seconds: number): number =>
  Math.max(leastRuntimeSeconds, upTo(seconds, seconds >= wholeMinutesFrom ? 60 : 1))
