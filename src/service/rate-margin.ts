import type { JobRecord } from '../model/record.ts'
import type { TimeRange } from '../store/series/series.ts'

/**
 * What is to be read for the rates between two moments: a rate needs the reading of its counter before, and what a counter was
 * late with is known some looks later.
 */
export function withMargin(
  { fromSeconds = 0, toSeconds = Infinity }: TimeRange,
  { samples }: Pick<JobRecord, 'samples'>,
): TimeRange {
  const margin = Math.max(5, 3 * (samples.intervalSeconds ?? 1))
  return {
    ...(fromSeconds > margin ? { fromSeconds: fromSeconds - margin } : {}),
    ...(Number.isFinite(toSeconds) ? { toSeconds: toSeconds + margin } : {}),
  }
}
