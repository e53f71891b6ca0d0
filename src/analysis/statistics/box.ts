import { maximum, minimum, percentile } from './statistics.ts'

/** Five numbers that say how values are spread, and those that stand apart. */
export interface Box {
  readonly count: number
  /** The least and the greatest value that are no outliers. */
  readonly low: number
  readonly quarter: number
  readonly median: number
  readonly threeQuarters: number
  readonly high: number
  /** Further from the box than one and a half times its length, after Tukey. */
  readonly outliers: readonly number[]
}

export function boxOf(values: readonly number[]): Box | undefined {
  const quarter = percentile(values, 25)
  const median = percentile(values, 50)
  const threeQuarters = percentile(values, 75)
  if (quarter === undefined || median === undefined || threeQuarters === undefined) return undefined
  const reach = 1.5 * (threeQuarters - quarter)
  const isOutlier = (value: number) => value < quarter - reach || value > threeQuarters + reach
  const within = values.filter((value) => !isOutlier(value))
  return {
    count: values.length,
    low: minimum(within) ?? quarter,
    quarter,
    median,
    threeQuarters,
    high: maximum(within) ?? threeQuarters,
    outliers: values.filter(isOutlier).toSorted((a, b) => a - b),
  }
}
