import type { BenchmarkJson } from '../render/benchmark/json.ts'
import type { BenchmarkWishes } from '../service/benchmark/benchmark-request.ts'

/**
 * What a `BenchmarkRunner` knows before its first benchmark.
 *
 * @example
 * ```ts
 * import { BenchmarkRunner, type BenchmarkRunnerOptions } from 'jobmeter'
 *
 * const options: BenchmarkRunnerOptions = { benchmarks: { wait: ['sleep', '0.05'] } }
 * const { name } = await new BenchmarkRunner(options).runBenchmark('wait', { runs: 1 })
 * console.log(name)
 * ```
 */
export interface BenchmarkRunnerOptions {
  /** The ledger that keeps benchmarks and their runs; by default the user's own. */
  readonly ledger?: string
  /** Commands by the names that `runBenchmark` may be given for them. */
  readonly benchmarks?: Readonly<Record<string, readonly string[]>>
  /** Is called with each problem in keeping records. Such problems do not affect the runs themselves. */
  readonly onProblem?: (problem: string) => void
}

/**
 * How to run a benchmark. Every option has a sensible default.
 *
 * @example
 * ```ts
 * import { BenchmarkRunner, type RunBenchmarkOptions } from 'jobmeter'
 *
 * const options: RunBenchmarkOptions = { runs: 2, warmup: 0, matrix: { seconds: [0.05, 0.1] } }
 * const result = await new BenchmarkRunner().runBenchmark(['sleep', '{seconds}'], options)
 * for (const { cell, metrics } of result.cells)
 *   console.log(cell['seconds'], metrics.duration_seconds?.mean)
 * ```
 */
export interface RunBenchmarkOptions extends BenchmarkWishes {
  /** Is called after each run. */
  readonly onRun?: (run: BenchmarkJson['runs'][number]) => void
}

/**
 * How two benchmarks are compared.
 *
 * @see BenchmarkRunner
 */
export interface CompareBenchmarksOptions {
  /** By how many percent a figure may grow before it is called a regression; 0 by default. */
  readonly allow?: number
}
