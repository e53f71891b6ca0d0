import {
  medianRatioInterval,
  totalRatioInterval,
  type Interval,
  type Pair,
} from '../statistics/bootstrap.ts'
import { median } from '../statistics/median.ts'
import { rankSumTest, signedRankTest, type RankTest } from '../statistics/rank-test.ts'
import type { ComparedMetric } from './compared-run.ts'

export type Difference =
  /** More than noise. */
  | 'worse'
  | 'better'
  /** No more than noise. */
  | 'noise'
  /** Too few runs to tell noise from anything. */
  | 'cannot-judge'
  | 'not-measured'

export interface MetricComparison {
  readonly metric: ComparedMetric
  /** Runs, or pairs of jobs, that the figure was measured in. */
  readonly countA: number
  readonly countB: number
  /** The median of the set; of pairs, the total over all jobs. */
  readonly a: number | null
  readonly b: number | null
  /** b ÷ a. */
  readonly ratio: number | null
  /** In which the ratio lies in 95 of 100 cases; null with fewer than 3 on a side. */
  readonly interval: Interval | null
  readonly test: RankTest | null
  readonly difference: Difference
}

/** From this on a difference counts as more than noise. */
const significance = 0.05

export function compareSets(
  metric: ComparedMetric,
  a: readonly number[],
  b: readonly number[],
): MetricComparison {
  const test = rankSumTest(a, b) ?? null
  const enough = a.length >= 3 && b.length >= 3
  return conclude(metric, {
    countA: a.length,
    countB: b.length,
    a: a.length === 0 ? null : median(a),
    b: b.length === 0 ? null : median(b),
    interval: enough ? (medianRatioInterval(a, b) ?? null) : null,
    test,
  })
}

export function comparePairs(metric: ComparedMetric, found: readonly Pair[]): MetricComparison {
  const total = (side: 'a' | 'b'): number => found.reduce((sum, pair) => sum + pair[side], 0)
  // Ratios, not differences: a job of a second and one of an hour have the same say.
  const changes = found.map(({ a, b }) => (a === b ? 0 : Math.log(b / a)))
  return conclude(metric, {
    countA: found.length,
    countB: found.length,
    a: found.length === 0 ? null : total('a'),
    b: found.length === 0 ? null : total('b'),
    interval: found.length >= 3 ? (totalRatioInterval(found) ?? null) : null,
    test: signedRankTest(changes) ?? null,
  })
}

function conclude(
  metric: ComparedMetric,
  facts: Omit<MetricComparison, 'metric' | 'ratio' | 'difference'>,
): MetricComparison {
  const { a, b } = facts
  // Of nothing there is no share, and less than a thousandth of what any counter counts is nothing.
  const ratio = a === null || b === null || a < 1e-9 ? null : b / a
  return { metric, ...facts, ratio, difference: judge(facts, ratio) }
}

/** Both must say so: the ranks, and the interval of the ratio. */
function judge(
  { a, b, test, interval }: Pick<MetricComparison, 'a' | 'b' | 'test' | 'interval'>,
  ratio: number | null,
): Difference {
  if (a === null || b === null || test === null) return 'not-measured'
  if (test.leastPValue > significance) return 'cannot-judge'
  if (test.pValue > significance) return 'noise'
  if (ratio === null || interval === null) return b > a ? 'worse' : b < a ? 'better' : 'noise'
  if (interval.low > 1) return 'worse'
  return interval.high < 1 ? 'better' : 'noise'
}
