import { boxOf } from '../statistics/box.ts'
import type { Interval } from '../statistics/bootstrap.ts'
import { median } from '../statistics/median.ts'
import { studentQuantile } from '../statistics/student.ts'

/** A figure of one run. */
export interface RunFigure {
  readonly runNumber: number
  readonly value: number
}

/** How a figure is spread over the runs of a cell. */
export interface Spread {
  readonly count: number
  readonly mean: number
  readonly median: number
  readonly min: number
  readonly max: number
  /** Of the sample (n − 1); null for a single run. */
  readonly standardDeviation: number | null
  /** In which the true mean lies in 95 of 100 cases, by Student's distribution; null for a single run. */
  readonly interval: Interval | null
  /** Runs that stand apart (Tukey's fences). They are counted in all figures: leaving them out is for people to decide. */
  readonly outliers: readonly RunFigure[]
}

export function spreadOf(figures: readonly RunFigure[]): Spread | undefined {
  const values = figures.map(({ value }) => value)
  const box = boxOf(values)
  if (box === undefined) return undefined
  const { mean, standardDeviation } = meanAndDeviation(values)
  const count = values.length
  const reach =
    standardDeviation === null
      ? null
      : (studentQuantile(count - 1) * standardDeviation) / Math.sqrt(count)
  const apart = new Set(box.outliers)
  return {
    count,
    mean,
    median: median(values),
    min: Math.min(...values),
    max: Math.max(...values),
    standardDeviation,
    interval: reach === null ? null : { low: mean - reach, high: mean + reach },
    outliers: figures.filter(({ value }) => apart.has(value)),
  }
}

export function meanAndDeviation(values: readonly number[]): {
  readonly mean: number
  readonly standardDeviation: number | null
} {
  const count = values.length
  // About the first value: a sum of squares about 0 loses all digits of values that differ in their last ones.
  const first = values[0] ?? Number.NaN
  const shift = values.reduce((sum, value) => sum + (value - first), 0) / count
  const squares = values.reduce((sum, value) => sum + (value - first - shift) ** 2, 0)
  return {
    mean: first + shift,
    standardDeviation: count < 2 ? null : Math.sqrt(squares / (count - 1)),
  }
}
