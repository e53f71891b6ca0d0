import type { DerivedPoint } from '../../analysis/series/rates.ts'
import { maximum, timeWeightedMean, type Weighted } from '../../analysis/statistics/statistics.ts'

const blocks = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const

/** A figure that held over a stretch of the job's time. */
interface Stretch {
  readonly fromSeconds: number
  readonly toSeconds: number
  readonly value: number
}

/**
 * CPU over time. Each character is the mean of its share of the time. The scale reaches at least to
 * one core, so that an idle job does not look busy.
 */
export function cpuSparkline(series: readonly DerivedPoint[], width: number): string {
  const means = resample(stretches(series, 'cpuPercent'), width, timeWeightedMean)
  return draw(means, 100)
}

/** Memory over time, from 0 to its highest or to `peakBytes`. Each character is the most of its share of the time. */
export function memorySparkline(
  series: readonly DerivedPoint[],
  width: number,
  peakBytes: number,
): string {
  const highs = resample(stretches(series, 'memoryBytes'), width, (parts) =>
    maximum(parts.map((part) => part.value)),
  )
  return draw(highs, peakBytes)
}

/**
 * Figures at equal steps, from 0 to their highest or to `leastTop`. Each character is the mean of its share; what
 * was not measured (NaN) is blank.
 */
export function evenSparkline(values: ArrayLike<number>, width: number, leastTop = 0): string {
  return draw(evenMeans(values, Math.floor(Math.min(width, values.length))), leastTop)
}

/** In one pass and without an object for each: there may be 100,000. */
function evenMeans(values: ArrayLike<number>, width: number): (number | undefined)[] {
  const sums = new Float64Array(Math.max(0, width))
  const weights = new Float64Array(sums.length)
  const share = values.length / sums.length
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? NaN
    if (!Number.isFinite(value)) continue
    for (let bucket = Math.floor(index / share); bucket * share < index + 1; bucket++) {
      const from = Math.max(index, bucket * share)
      const weight = Math.min(index + 1, (bucket + 1) * share) - from
      if (weight <= 0 || bucket >= sums.length) continue
      sums[bucket] = (sums[bucket] ?? 0) + value * weight
      weights[bucket] = (weights[bucket] ?? 0) + weight
    }
  }
  return Array.from(sums, (sum, bucket) => {
    const weight = weights[bucket] ?? 0
    return weight > 0 ? sum / weight : undefined
  })
}

/** Each sample speaks for the time since the one before it. */
function stretches(
  series: readonly DerivedPoint[],
  figure: 'cpuPercent' | 'memoryBytes',
): Stretch[] {
  const found: Stretch[] = []
  let fromSeconds = 0
  for (const point of series) {
    const toSeconds = point.elapsedSeconds
    if (toSeconds === null || toSeconds <= fromSeconds) continue
    const value = point[figure]
    if (value !== null) found.push({ fromSeconds, toSeconds, value })
    fromSeconds = toSeconds
  }
  return found
}

function resample(
  parts: readonly Stretch[],
  width: number,
  combine: (parts: readonly Weighted[]) => number | undefined,
): (number | undefined)[] {
  const endSeconds = parts.at(-1)?.toSeconds
  if (endSeconds === undefined || width < 1) return []
  const buckets: Weighted[][] = Array.from({ length: Math.floor(width) }, () => [])
  const bucketSeconds = endSeconds / buckets.length
  for (const { fromSeconds, toSeconds, value } of parts) {
    const last = Math.min(buckets.length - 1, Math.ceil(toSeconds / bucketSeconds))
    for (let index = Math.floor(fromSeconds / bucketSeconds); index <= last; index += 1) {
      const from = Math.max(fromSeconds, index * bucketSeconds)
      const seconds = Math.min(toSeconds, (index + 1) * bucketSeconds) - from
      if (seconds > 0) buckets[index]?.push({ value, seconds })
    }
  }
  return buckets.map(combine)
}

/** Time without a figure is blank. */
function draw(values: readonly (number | undefined)[], leastTop: number): string {
  const known = values.filter((value) => value !== undefined)
  const top = Math.max(maximum(known) ?? 0, leastTop)
  return values
    .map((value) => {
      if (value === undefined) return ' '
      return blocks[top > 0 ? Math.round((value / top) * (blocks.length - 1)) : 0]
    })
    .join('')
}
