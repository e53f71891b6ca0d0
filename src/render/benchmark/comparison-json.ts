import {
  regressionIn,
  type BenchmarkComparison,
  type MetricChange,
  type RegressionVerdict,
} from '../../analysis/benchmark/benchmark-comparison.ts'
import type { BenchmarkResult } from '../../analysis/benchmark/benchmark-result.ts'
import { falseAlarmRate, type Change } from '../../analysis/benchmark/regression.ts'
import type { BenchmarkCell } from '../../model/benchmark.ts'
import {
  byMetricKey,
  metricKeys,
  ratioJson,
  rounded,
  type MetricKey,
  type RatioJson,
} from './json.ts'

/**
 * Two benchmarks, cell by cell, as scripts read it; all other formats show what stands here.
 *
 * @see BenchmarkRunner
 */
export interface BenchmarkComparisonJson {
  readonly a: SideJson
  readonly b: SideJson
  /** How often such a comparison calls a cell worse though nothing changed, at most. */
  readonly false_alarm_rate: number
  readonly allowed_percent: number
  readonly cells: readonly {
    readonly cell: BenchmarkCell
    readonly metrics: readonly ChangeJson[]
  }[]
  /** Cells that only one of them has. */
  readonly unpaired: readonly string[]
  /** Over all cells: `regression` if one is worse by more than noise, `cannot-judge` if that stays open. */
  readonly verdicts: Readonly<Record<MetricKey, RegressionVerdict>>
}

export interface SideJson {
  readonly benchmark_id: number
  readonly name: string
  readonly runs: number
  readonly failed: number
}

export interface ChangeJson {
  readonly metric: MetricKey
  readonly count_a: number
  readonly count_b: number
  readonly mean_a: number | null
  readonly mean_b: number | null
  /** B ÷ A. */
  readonly ratio: RatioJson | null
  /** Corrected for the number of cells (Holm). */
  readonly p_worse: number | null
  readonly p_better: number | null
  readonly change: Change
}

export function benchmarkComparisonJson(comparison: BenchmarkComparison): BenchmarkComparisonJson {
  const { a, b, allowedShare, cells, unpaired } = comparison
  return {
    a: sideJson(a),
    b: sideJson(b),
    false_alarm_rate: falseAlarmRate,
    allowed_percent: rounded(100 * allowedShare),
    cells: cells.map(({ cell, metrics }) => ({ cell, metrics: metrics.map(changeJson) })),
    unpaired,
    verdicts: byMetricKey((metric) => regressionIn(comparison, metric)),
  }
}

const sideJson = ({ benchmark, counted, failed }: BenchmarkResult): SideJson => ({
  benchmark_id: benchmark.id,
  name: benchmark.definition.name,
  runs: counted,
  failed: failed.length,
})

const changeJson = (one: MetricChange): ChangeJson => ({
  metric: metricKeys[one.metric],
  count_a: one.countA,
  count_b: one.countB,
  mean_a: one.a === null ? null : rounded(one.a),
  mean_b: one.b === null ? null : rounded(one.b),
  ratio: ratioJson(one.ratio),
  p_worse: one.pWorse === null ? null : rounded(one.pWorse),
  p_better: one.pBetter === null ? null : rounded(one.pBetter),
  change: one.change,
})
