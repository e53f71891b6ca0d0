import {
  cellLabel,
  type BenchmarkCell,
  type BenchmarkDefinition,
  type BenchmarkTurn,
} from '../../model/benchmark.ts'
import type { JobRecord } from '../../model/record.ts'
import { comparedFigure, comparedMetrics, type ComparedMetric } from '../compare/compared-run.ts'
import { speedUps, type SpeedUp } from './speed-up.ts'
import { spreadOf, type RunFigure, type Spread } from './spread.ts'
import { cellsOf } from './turns.ts'

/** A run that was made, with its record; null where that was pruned since. */
export interface BenchmarkRun extends BenchmarkTurn {
  readonly record: JobRecord | null
}

/** A benchmark with all runs that were made of it so far. */
export interface MadeBenchmark {
  readonly id: number
  readonly definition: BenchmarkDefinition
  readonly startedAt: number
  /** Null while it runs, and where it was killed. */
  readonly endedAt: number | null
  readonly runs: readonly BenchmarkRun[]
}

export interface CellResult {
  readonly cell: BenchmarkCell
  /** Runs that succeeded and were not for warming up: only they are averaged. */
  readonly counted: readonly BenchmarkRun[]
  readonly failed: readonly BenchmarkRun[]
  /** Null where a figure was measured in no run. */
  readonly spreads: Readonly<Record<ComparedMetric, Spread | null>>
}

export interface BenchmarkResult {
  readonly benchmark: MadeBenchmark
  readonly cells: readonly CellResult[]
  /** By cell, against the first or the one with the fewest workers; empty without a matrix. */
  readonly speedUps: readonly SpeedUp[]
  /** How many runs were to be counted, over all cells. */
  readonly planned: number
  readonly counted: number
  /** Runs for warming up that failed are among them. */
  readonly failed: readonly BenchmarkRun[]
}

export function benchmarkResult(benchmark: MadeBenchmark): BenchmarkResult {
  const { definition, runs } = benchmark
  const byCell = Map.groupBy(runs, ({ cell }) => cellLabel(cell))
  const cells = cellsOf(definition.matrix).map((cell) =>
    cellResult(cell, byCell.get(cellLabel(cell)) ?? []),
  )
  return {
    benchmark,
    cells,
    speedUps: speedUps(
      cells.map(({ cell, counted }) => ({ cell, seconds: valuesOf(counted, 'duration') })),
    ),
    planned: cells.length * definition.runs,
    counted: cells.reduce((sum, { counted }) => sum + counted.length, 0),
    failed: runs.filter(({ record }) => record !== null && !hasSucceeded(record)),
  }
}

function cellResult(cell: BenchmarkCell, runs: readonly BenchmarkRun[]): CellResult {
  const made = runs.filter(({ isWarmUp, record }) => !isWarmUp && record !== null)
  const counted = made.filter(({ record }) => record !== null && hasSucceeded(record))
  const spreads = Object.fromEntries(
    comparedMetrics.map((metric) => [metric, spreadOf(figuresOf(counted, metric)) ?? null]),
  ) as Record<ComparedMetric, Spread | null>
  return { cell, counted, failed: made.filter((run) => !counted.includes(run)), spreads }
}

const hasSucceeded = ({ status, durationSeconds }: JobRecord): boolean =>
  status === 'success' && durationSeconds !== null

function figuresOf(runs: readonly BenchmarkRun[], metric: ComparedMetric): RunFigure[] {
  return runs.flatMap(({ runNumber, record }) => {
    const value = record === null ? null : comparedFigure[metric](record)
    return value === null ? [] : [{ runNumber, value }]
  })
}

/** Of the runs in which it was measured. */
export const valuesOf = (runs: readonly BenchmarkRun[], metric: ComparedMetric): number[] =>
  figuresOf(runs, metric).map(({ value }) => value)
