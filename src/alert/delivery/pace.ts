import type { DeliveryPace } from '../../model/alert.ts'

type RetryPace = Pick<DeliveryPace, 'firstRetrySeconds' | 'longestRetrySeconds'>

/**
 * How long to wait after so many attempts that failed: twice as long each time. Up to a fifth is taken off, by the number
 * of the message, so that many who failed together do not come back together.
 */
export function retrySeconds(
  { firstRetrySeconds, longestRetrySeconds }: RetryPace,
  attempts: number,
  id: string,
): number {
  const doubled = firstRetrySeconds * 2 ** Math.min(30, Math.max(0, attempts - 1))
  const share = Number.parseInt(id.slice(0, 8), 16) / 0xffffffff
  return Math.min(longestRetrySeconds, doubled) * (1 - 0.2 * (Number.isNaN(share) ? 0 : share))
}

/** When the next message may go out, by when those before went; now, if nothing keeps it back. */
export function allowedAt(
  { mostMessages, perSeconds }: DeliveryPace,
  sentTimes: readonly number[],
  now: number,
): number {
  // What went out in the future went out before the clock was set back: nobody knows when.
  const recent = sentTimes
    .filter((time) => time > now - perSeconds && time <= now)
    .toSorted((a, b) => a - b)
  const keeps = recent[recent.length - mostMessages]
  return keeps === undefined ? now : keeps + perSeconds
}
