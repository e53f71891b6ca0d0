import type { SizedAttempt } from './sizing-evidence.ts'
import type { RequestAdvice } from './sizing.ts'

/** What right requests would have left free in the recorded runs; negative where they ask for more. */
export interface Savings {
  readonly coreSeconds: number
  readonly byteSeconds: number
}

/** What was asked for less what should have been, for as long as each attempt took. */
export function savingsOf(advice: RequestAdvice, attempts: readonly SizedAttempt[]): Savings {
  let seconds = 0
  for (const { durationSeconds } of attempts) seconds += durationSeconds ?? 0
  const less = ({ requested, recommended }: RequestAdvice['cpus']): number =>
    requested === null || recommended === null ? 0 : requested - recommended
  return { coreSeconds: less(advice.cpus) * seconds, byteSeconds: less(advice.memory) * seconds }
}

export function totalSavings(parts: Iterable<Savings>): Savings {
  let coreSeconds = 0
  let byteSeconds = 0
  for (const part of parts) {
    coreSeconds += part.coreSeconds
    byteSeconds += part.byteSeconds
  }
  return { coreSeconds, byteSeconds }
}
