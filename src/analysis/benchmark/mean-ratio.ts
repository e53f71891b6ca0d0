import type { Interval } from '../statistics/bootstrap.ts'
import { studentQuantile } from '../statistics/student.ts'
import { meanAndDeviation } from './spread.ts'

/** One mean over another, and how sure that is. */
export interface MeanRatio {
  readonly ratio: number
  /** In which the ratio of the true means lies in 95 of 100 cases; null with a single run on a side. */
  readonly interval: Interval | null
}

/**
 * `above` ÷ `below`. The interval is that of the logarithm: errors of a quotient are relative ones. Each side has a variance of
 * its own (Welch), so that one noisy cell does not make the others look noisy. Undefined where either mean is not positive.
 */
export function meanRatio(
  above: readonly number[],
  below: readonly number[],
): MeanRatio | undefined {
  const upper = relativeError(above)
  const lower = relativeError(below)
  if (!(upper.mean > 0) || !(lower.mean > 0)) return undefined
  const ratio = upper.mean / lower.mean
  if (upper.variance === null || lower.variance === null) return { ratio, interval: null }
  const variance = upper.variance + lower.variance
  const free =
    variance ** 2 /
    (upper.variance ** 2 / (above.length - 1) + lower.variance ** 2 / (below.length - 1))
  // Fewer degrees of freedom than there are make the interval wider, never too narrow.
  const freedom = Number.isFinite(free) ? Math.max(1, Math.floor(free)) : 1
  const reach = variance === 0 ? 0 : studentQuantile(freedom) * Math.sqrt(variance)
  return {
    ratio,
    interval: { low: ratio * Math.exp(-reach), high: ratio * Math.exp(reach) },
  }
}

/** The variance of the mean as a share of the mean; null for a single value. */
function relativeError(values: readonly number[]): {
  readonly mean: number
  readonly variance: number | null
} {
  const { mean, standardDeviation } = meanAndDeviation(values)
  return {
    mean,
    variance: standardDeviation === null ? null : (standardDeviation / mean) ** 2 / values.length,
  }
}
