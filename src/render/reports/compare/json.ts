import type { ComparedMetric } from '../../../analysis/compare/compared-run.ts'
import type { Comparison } from '../../../analysis/compare/comparison.ts'
import type { Difference } from '../../../analysis/compare/metric-comparison.ts'
import { roundKeeping } from '../../units/figures.ts'

/** Two sets of runs side by side, as scripts read it; all other formats show what stands here. */
export interface ComparisonJson {
  readonly a: SetJson
  readonly b: SetJson
  readonly by: Comparison['by']
  /** Of how many jobs the figures of a run of a workflow are the total; null where a run is one job. */
  readonly jobs: number | null
  readonly unpaired: readonly string[]
  readonly metrics: readonly MetricJson[]
}

export interface SetJson {
  /** As it was asked for. */
  readonly set: string
  readonly runs: number
  readonly left_out: number
  /** Runs of a workflow that lack some of the jobs, and are left out too. */
  readonly partial: number
}

export interface MetricJson {
  readonly metric: ComparedMetric
  readonly unit: 'seconds' | 'bytes'
  readonly count_a: number
  readonly count_b: number
  readonly a: number | null
  readonly b: number | null
  /** The true figure may be higher. */
  readonly a_is_lower_bound: boolean
  readonly b_is_lower_bound: boolean
  readonly change_percent: number | null
  readonly change_low_percent: number | null
  readonly change_high_percent: number | null
  readonly p_value: number | null
  /** The least that so many runs could give. */
  readonly least_p_value: number | null
  readonly test: 'exact' | 'normal' | null
  readonly difference: Difference
}

export function comparisonJson(
  comparison: Comparison,
  names: { readonly a: string; readonly b: string },
): ComparisonJson {
  return {
    a: {
      set: names.a,
      runs: comparison.runsA,
      left_out: comparison.leftOutA,
      partial: comparison.partialA,
    },
    b: {
      set: names.b,
      runs: comparison.runsB,
      left_out: comparison.leftOutB,
      partial: comparison.partialB,
    },
    by: comparison.by,
    jobs: comparison.jobs,
    unpaired: comparison.unpaired,
    metrics: comparison.metrics.map(metricJson),
  }
}

function metricJson(one: Comparison['metrics'][number]): MetricJson {
  const inSeconds = one.metric === 'duration' || one.metric === 'cpu'
  const figure = (value: number | null): number | null =>
    value === null ? null : roundKeeping(value, inSeconds ? 6 : 0)
  return {
    metric: one.metric,
    unit: inSeconds ? 'seconds' : 'bytes',
    count_a: one.countA,
    count_b: one.countB,
    a: figure(one.a),
    b: figure(one.b),
    a_is_lower_bound: one.isLeastA,
    b_is_lower_bound: one.isLeastB,
    change_percent: change(one.ratio),
    change_low_percent: change(one.interval?.low ?? null),
    change_high_percent: change(one.interval?.high ?? null),
    p_value: one.test === null ? null : roundKeeping(one.test.pValue, 6),
    least_p_value: one.test === null ? null : roundKeeping(one.test.leastPValue, 6),
    test: one.test?.method ?? null,
    difference: one.difference,
  }
}

const change = (ratio: number | null): number | null =>
  ratio === null ? null : roundKeeping(100 * (ratio - 1), 3)
