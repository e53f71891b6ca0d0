import { isDurationBound } from '../../model/outcome.ts'
import type { UtilizationRow } from '../../model/utilization-row.ts'
import { likeness } from '../policy.ts'
import { wantedMoreCpu, type CpuWait } from '../limits/cpu-shortage.ts'

/** An attempt with what it asked for and what it used; the ledger's row is one. */
export type SizedAttempt = Pick<
  UtilizationRow,
  | 'jobName'
  | 'status'
  | 'reason'
  | 'machineCores'
  | 'cpuPercentP95'
  | 'memoryPeakBytes'
  | 'largestProcessPeakBytes'
  | 'swapPeakBytes'
  | 'cgroupMemoryPeakBytes'
  | 'memoryLimitMetBytes'
  | keyof CpuWait
  | 'lowerBounds'
>

/** What an attempt was seen to need. */
export interface NeedEvidence {
  readonly value: number
  /** It may have needed more: this can raise a request, but never lower it. */
  readonly isLowerBound: boolean
}

/**
 * The cgroup's own peak is no evidence of a need: its page cache is given up when memory runs short, and how much that was is not
 * told. But where a single process comes near it, others held next to nothing. It lifts no lower bound: what that may lack,
 * such as libraries that others have loaded, is in no cgroup of the job.
 */
export function memoryEvidence(attempt: SizedAttempt): NeedEvidence | null {
  const { memoryPeakBytes: peak, largestProcessPeakBytes: largest } = attempt
  if (peak === null && largest === null) return null
  const value = Math.max(peak ?? 0, largest ?? 0)
  // What was swapped out was needed too.
  const isSwapped = (attempt.swapPeakBytes ?? 0) > 0
  const isBound = attempt.lowerBounds.includes('memoryPeakBytes')
  const isOfOne = peak === null || value > peak * likeness.processOfJob
  const isAllOfCgroup = (attempt.cgroupMemoryPeakBytes ?? Infinity) <= value * likeness.processOfJob
  return { value, isLowerBound: isSwapped || isBound || (isOfOne && !isAllOfCgroup) }
}

/**
 * The most CPUs that were busy at once, the busiest 5 % of the time left out. Where that was not measured, the mean over the
 * whole job tells how many it was at least; where it had to wait for cores, it may have wanted more than it got.
 */
export function cpuEvidence(attempt: SizedAttempt): NeedEvidence | null {
  const { cpuPercentP95, cpuSeconds, durationSeconds, lowerBounds } = attempt
  const mean =
    cpuSeconds !== null && durationSeconds !== null && durationSeconds > 0
      ? cpuSeconds / durationSeconds
      : null
  if (cpuPercentP95 === null) return mean === null ? null : { value: mean, isLowerBound: true }
  return {
    value: Math.max(cpuPercentP95 / 100, mean ?? 0),
    isLowerBound:
      lowerBounds.includes('cpuPercentP95') ||
      lowerBounds.includes('cpuSeconds') ||
      wantedMoreCpu(attempt),
  }
}

/** Only what ended by itself has shown how long it takes. */
export function runtimeEvidence({ durationSeconds, status }: SizedAttempt): NeedEvidence | null {
  if (durationSeconds === null) return null
  return { value: durationSeconds, isLowerBound: status === 'timeout' || isDurationBound(status) }
}
