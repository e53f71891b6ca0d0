import { tellsOfHidden } from '../../model/hidden-moments.ts'
import { isLowerBound } from '../../model/measured.ts'
import type { AttemptRecord } from '../../model/record.ts'
import { cpuUnseenIn } from '../../model/usage.ts'

/** Of its duration: usual figures leave out as much, and a verdict is of nearly all of a job. */
const triflingShare = 0.05

/** Whether a job may have used so much CPU time unseen that nobody can say how many cores it kept busy. */
export function mayHaveUsedMoreCpu({
  usage,
  durationSeconds,
}: Pick<AttemptRecord, 'usage' | 'durationSeconds'>): boolean {
  if (!isLowerBound(usage.cpuTotalSeconds)) return false
  const unseenSeconds = cpuUnseenIn(usage)
  if (unseenSeconds === null || durationSeconds === null) return true
  return unseenSeconds > triflingShare * durationSeconds
}

/** Whether it may have been busier for a moment than its peak says. */
export function mayHaveHigherPeak(
  record: Pick<AttemptRecord, 'usage' | 'durationSeconds'>,
): boolean {
  const { cpuPercentPeak: peak, cpuTotalSeconds } = record.usage
  if (peak.value === null || !isLowerBound(peak)) return false
  // Whatever went unseen makes a lower bound of the peak as well: where that is a trifle, only looks that came late count.
  const isForTrifle = isLowerBound(cpuTotalSeconds) && !mayHaveUsedMoreCpu(record)
  return !isForTrifle || tellsOfHidden(peak.basis)
}
