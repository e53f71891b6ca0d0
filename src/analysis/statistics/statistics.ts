/** A value and for how long it held. */
export interface Weighted {
  readonly value: number
  readonly seconds: number
}

/**
 * The mean over time. A plain mean of unevenly spaced samples is wrong: the first second of a job
 * holds seven looks and the next ones one each.
 */
export function timeWeightedMean(parts: Iterable<Weighted>): number | undefined {
  let totalSeconds = 0
  let mean = 0
  for (const { value, seconds } of parts) {
    if (!Number.isFinite(value) || !(seconds > 0)) continue
    totalSeconds += seconds
    // Moved step by step, because a sum of products can overflow where the mean does not.
    mean += (value - mean) * (seconds / totalSeconds)
  }
  return totalSeconds > 0 ? mean : undefined
}

/**
 * The nearest-rank percentile: the smallest of the values that at least `percent` per cent of them
 * do not exceed. It is always one of the values, never something between two of them.
 */
export function percentile(values: Iterable<number>, percent: number): number | undefined {
  const sorted = Float64Array.from(values).toSorted()
  const rank = Math.ceil((percent * sorted.length) / 100)
  return sorted[Math.min(Math.max(rank, 1), sorted.length) - 1]
}

export function minimum(values: Iterable<number>): number | undefined {
  let least: number | undefined
  for (const value of values) if (least === undefined || value < least) least = value
  return least
}

export function maximum(values: Iterable<number>): number | undefined {
  let most: number | undefined
  for (const value of values) if (most === undefined || value > most) most = value
  return most
}
