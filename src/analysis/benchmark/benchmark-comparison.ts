import { cellLabel, type BenchmarkCell } from '../../model/benchmark.ts'
import { comparedMetrics, type ComparedMetric } from '../compare/compared-run.ts'
import { valuesOf, type BenchmarkResult, type CellResult } from './benchmark-result.ts'
import { meanRatio, type MeanRatio } from './mean-ratio.ts'
import { judge, type Judgement } from './regression.ts'
import { meanAndDeviation } from './spread.ts'

export interface MetricChange extends Judgement {
  readonly metric: ComparedMetric
  readonly countA: number
  readonly countB: number
  /** Means. */
  readonly a: number | null
  readonly b: number | null
  /** b ÷ a. */
  readonly ratio: MeanRatio | null
}

export interface CellComparison {
  readonly cell: BenchmarkCell
  readonly metrics: readonly MetricChange[]
}

/** Two benchmarks, cell by cell. */
export interface BenchmarkComparison {
  readonly a: BenchmarkResult
  readonly b: BenchmarkResult
  /** By how much a figure may grow before it is a regression, as a share. */
  readonly allowedShare: number
  readonly cells: readonly CellComparison[]
  /** Cells that only one of them has. */
  readonly unpaired: readonly string[]
}

/** `b` is held against `a`, the baseline. The cells of each metric are judged together. */
export function compareBenchmarks(
  a: BenchmarkResult,
  b: BenchmarkResult,
  allowedShare = 0,
): BenchmarkComparison {
  const ofA = new Map(a.cells.map((one) => [cellLabel(one.cell), one]))
  const ofB = new Map(b.cells.map((one) => [cellLabel(one.cell), one]))
  const pairs = a.cells.flatMap((left): Pair[] => {
    const right = ofB.get(cellLabel(left.cell))
    return right === undefined ? [] : [{ left, right }]
  })
  const changes = comparedMetrics.map((metric) => changesOf(metric, pairs, allowedShare))
  const names = [...ofA.keys(), ...ofB.keys()]
  return {
    a,
    b,
    allowedShare,
    cells: pairs.map(({ left }, index) => ({
      cell: left.cell,
      metrics: changes.flatMap((ofCells) => ofCells[index] ?? []),
    })),
    unpaired: names.filter((name) => !ofA.has(name) || !ofB.has(name)),
  }
}

interface Pair {
  readonly left: CellResult
  readonly right: CellResult
}

function changesOf(
  metric: ComparedMetric,
  pairs: readonly Pair[],
  allowedShare: number,
): MetricChange[] {
  const sides = pairs.map(({ left, right }) => ({
    a: valuesOf(left.counted, metric),
    b: valuesOf(right.counted, metric),
  }))
  return judge(sides, allowedShare).map((judgement, index) => {
    const { a = [], b = [] } = sides[index] ?? {}
    const mean = (values: readonly number[]): number | null =>
      values.length === 0 ? null : meanAndDeviation(values).mean
    return {
      metric,
      countA: a.length,
      countB: b.length,
      a: mean(a),
      b: mean(b),
      ratio: meanRatio(b, a) ?? null,
      ...judgement,
    }
  })
}

export type RegressionVerdict = 'regression' | 'none' | 'cannot-judge'

/** Over all cells: one that is worse is a regression; else, one that cannot be judged leaves the question open. */
export function regressionIn(
  { cells, unpaired }: BenchmarkComparison,
  metric: ComparedMetric,
): RegressionVerdict {
  const changes = cells.map(
    ({ metrics }) => metrics.find((one) => one.metric === metric)?.change ?? 'cannot-judge',
  )
  if (changes.includes('worse')) return 'regression'
  const isOpen = changes.includes('cannot-judge') || cells.length === 0 || unpaired.length > 0
  return isOpen ? 'cannot-judge' : 'none'
}
