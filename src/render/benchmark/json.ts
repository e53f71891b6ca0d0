import type {
  BenchmarkResult,
  BenchmarkRun,
  CellResult,
} from '../../analysis/benchmark/benchmark-result.ts'
import type { MeanRatio } from '../../analysis/benchmark/mean-ratio.ts'
import type { SpeedUp } from '../../analysis/benchmark/speed-up.ts'
import type { Spread } from '../../analysis/benchmark/spread.ts'
import { comparedMetrics, type ComparedMetric } from '../../analysis/compare/compared-run.ts'
import type { BenchmarkCell } from '../../model/benchmark.ts'
import { recordJson, type RecordJson } from '../record/record-json.ts'
import { roundKeeping } from '../units/figures.ts'
import { utcTime } from '../units/iso-time.ts'

/**
 * A benchmark, as scripts read it; all other formats show what stands here.
 *
 * @see BenchmarkRunner
 */
export interface BenchmarkJson {
  readonly benchmark_id: number
  readonly name: string
  readonly command: readonly string[]
  readonly params: Readonly<Record<string, unknown>>
  readonly matrix: Readonly<Record<string, readonly string[]>>
  readonly start_time: string | null
  readonly end_time: string | null
  /** Whether all runs were made. */
  readonly finished: boolean
  readonly runs_planned: number
  /** Runs that succeeded: only they are averaged. */
  readonly runs_counted: number
  /** Runs that did not succeed, those for warming up included. */
  readonly runs_failed: number
  readonly cells: readonly CellJson[]
  readonly speed_ups: readonly SpeedUpJson[]
  /** Each run with its whole record, in the order in which they were made. */
  readonly runs: readonly BenchmarkRunJson[]
  readonly warmup_runs: readonly BenchmarkRunJson[]
}

export interface BenchmarkRunJson extends Partial<RecordJson> {
  readonly run_number: number
  readonly cell: BenchmarkCell
}

export interface CellJson {
  readonly cell: BenchmarkCell
  readonly runs: number
  readonly failed_runs: readonly number[]
  /** In seconds and bytes; null where a figure was measured in no run. */
  readonly metrics: Readonly<Record<MetricKey, SpreadJson | null>>
}

export type MetricKey =
  | 'duration_seconds'
  | 'cpu_seconds'
  | 'memory_peak_bytes'
  | 'read_bytes'
  | 'write_bytes'

export interface SpreadJson {
  readonly count: number
  readonly mean: number
  readonly median: number
  readonly min: number
  readonly max: number
  readonly standard_deviation: number | null
  /** In which the true mean lies in 95 of 100 cases. */
  readonly ci_low: number | null
  readonly ci_high: number | null
  readonly outliers: readonly { readonly run_number: number; readonly value: number }[]
}

export interface RatioJson {
  readonly value: number
  readonly ci_low: number | null
  readonly ci_high: number | null
}

export interface SpeedUpJson {
  readonly cell: BenchmarkCell
  readonly against: BenchmarkCell
  readonly speed_up: RatioJson | null
  readonly times_the_workers: number | null
  readonly efficiency: RatioJson | null
}

export const metricKeys: Readonly<Record<ComparedMetric, MetricKey>> = {
  duration: 'duration_seconds',
  cpu: 'cpu_seconds',
  memory: 'memory_peak_bytes',
  read: 'read_bytes',
  write: 'write_bytes',
}

/** Something of every figure, under the names that scripts know. */
export const byMetricKey = <T>(of: (metric: ComparedMetric) => T): Record<MetricKey, T> =>
  Object.fromEntries(comparedMetrics.map((metric) => [metricKeys[metric], of(metric)])) as Record<
    MetricKey,
    T
  >

export function benchmarkJson(result: BenchmarkResult): BenchmarkJson {
  const { benchmark } = result
  const { definition, runs, startedAt, endedAt } = benchmark
  return {
    benchmark_id: benchmark.id,
    name: definition.name,
    command: definition.command,
    params: definition.params,
    matrix: Object.fromEntries(definition.matrix.map(({ name, values }) => [name, values])),
    start_time: utcTime(startedAt),
    end_time: utcTime(endedAt),
    finished: endedAt !== null,
    runs_planned: result.planned,
    runs_counted: result.counted,
    runs_failed: result.failed.length,
    cells: result.cells.map(cellJson),
    speed_ups: result.speedUps.map(speedUpJson),
    runs: runs.filter(({ isWarmUp }) => !isWarmUp).map(benchmarkRunJson),
    warmup_runs: runs.filter(({ isWarmUp }) => isWarmUp).map(benchmarkRunJson),
  }
}

/** One run with its whole record. */
export const benchmarkRunJson = ({ runNumber, cell, record }: BenchmarkRun): BenchmarkRunJson => ({
  run_number: runNumber,
  cell,
  ...(record === null ? {} : recordJson(record)),
})

function cellJson({ cell, counted, failed, spreads }: CellResult): CellJson {
  const metrics = byMetricKey((metric) => spreadJson(spreads[metric]))
  return { cell, runs: counted.length, failed_runs: failed.map((run) => run.runNumber), metrics }
}

function spreadJson(spread: Spread | null): SpreadJson | null {
  if (spread === null) return null
  return {
    count: spread.count,
    mean: rounded(spread.mean),
    median: rounded(spread.median),
    min: rounded(spread.min),
    max: rounded(spread.max),
    standard_deviation:
      spread.standardDeviation === null ? null : rounded(spread.standardDeviation),
    ci_low: spread.interval === null ? null : rounded(spread.interval.low),
    ci_high: spread.interval === null ? null : rounded(spread.interval.high),
    outliers: spread.outliers.map(({ runNumber, value }) => ({
      run_number: runNumber,
      value: rounded(value),
    })),
  }
}

const speedUpJson = ({ cell, against, speedUp, times, efficiency }: SpeedUp): SpeedUpJson => ({
  cell,
  against,
  speed_up: ratioJson(speedUp),
  times_the_workers: times,
  efficiency: ratioJson(efficiency),
})

export const ratioJson = (ratio: MeanRatio | null): RatioJson | null =>
  ratio === null
    ? null
    : {
        value: rounded(ratio.ratio),
        ci_low: ratio.interval === null ? null : rounded(ratio.interval.low),
        ci_high: ratio.interval === null ? null : rounded(ratio.interval.high),
      }

export const rounded = (value: number): number => roundKeeping(value, 6)
