import type { BenchmarkComparisonJson } from '../render/benchmark/comparison-json.ts'
import type { BenchmarkListedJson } from '../render/benchmark/list.ts'
import type { BenchmarkJson } from '../render/benchmark/json.ts'
import type {
  BenchmarkRunnerOptions,
  CompareBenchmarksOptions,
  RunBenchmarkOptions,
} from './benchmark-options.ts'

/**
 * Runs commands several times and says how their figures are spread. Each run is recorded like any other job. What a
 * command prints is discarded.
 *
 * @example
 * ```ts
 * import { BenchmarkRunner, type BenchmarkJson } from 'jobmeter'
 *
 * const runner = new BenchmarkRunner({ benchmarks: { fenicsx: ['sleep', '0.1'] } })
 * const result: BenchmarkJson = await runner.runBenchmark('fenicsx', { device: 'cpu', runs: 3 })
 * for (const run of result.runs) {
 *   const profile = run.detailed_profile
 *   console.log(`Run ${run.run_number}:`)
 *   console.log(`  CPU mean: ${profile?.cpu.mean_percent ?? 0}%`)
 *   console.log(`  Memory peak: ${profile?.memory.max_used_mb ?? 0} MB`)
 * }
 * ```
 *
 * @example
 * A benchmark that is saved as a baseline, and another one that is held against it.
 *
 * ```ts
 * import {
 *   BenchmarkRunner,
 *   type BenchmarkComparisonJson,
 *   type BenchmarkListedJson,
 *   type CompareBenchmarksOptions,
 * } from 'jobmeter'
 *
 * const runner = new BenchmarkRunner({ ledger: 'benchmarks.db' })
 * await runner.runBenchmark(['sleep', '0.01'], { name: 'wait', runs: 3, saveBaseline: 'v1' })
 * const { benchmark_id: id } = await runner.runBenchmark(['sleep', '0.05'], { name: 'wait', runs: 3 })
 *
 * const allowed: CompareBenchmarksOptions = { allow: 5 }
 * const comparison: BenchmarkComparisonJson = await runner.compare('v1', id, allowed)
 * if (comparison.verdicts.duration_seconds === 'regression') console.log('slower by more than noise')
 *
 * const newest: BenchmarkListedJson | undefined = (await runner.list())[0]
 * console.log(newest?.name, newest?.baselines)
 * const baseline = await runner.report('v1')
 * console.log(baseline.cells[0]?.metrics.duration_seconds?.mean)
 * ```
 */
export class BenchmarkRunner {
  readonly #options: BenchmarkRunnerOptions

  constructor(options: BenchmarkRunnerOptions = {}) {
    this.#options = options
  }

  /**
   * Runs a command, or what a name stands for: a command that the runner was given under that name, or that of the newest
   * benchmark with that name in the ledger. A run that fails is in the result, and in no average.
   */
  async runBenchmark(
    nameOrCommand: string | readonly string[],
    { onRun, ...wishes }: RunBenchmarkOptions = {},
  ): Promise<BenchmarkJson> {
    const { runNamedBenchmark } = await import('../service/benchmark/run-named.ts')
    const { benchmarkJson, benchmarkRunJson } = await import('../render/benchmark/json.ts')
    const result = await runNamedBenchmark(this.#options, nameOrCommand, wishes, (run) =>
      onRun?.(benchmarkRunJson(run)),
    )
    return benchmarkJson(result)
  }

  /**
   * A benchmark out of the ledger, with its runs: by its id, a baseline, its name (the newest is meant) or `last`. Rejects
   * if there is none.
   */
  async report(benchmark: string | number = 'last'): Promise<BenchmarkJson> {
    const { findBenchmark, gatherBenchmark } =
      await import('../service/benchmark/find-benchmark.ts')
    const { readBenchmarks } = await import('../service/benchmark/read-benchmarks.ts')
    const { benchmarkJson } = await import('../render/benchmark/json.ts')
    return readBenchmarks(this.#options, async (reader) =>
      benchmarkJson(await gatherBenchmark(reader, await findBenchmark(reader, String(benchmark)))),
    )
  }

  /** All benchmarks in the ledger, newest first, with the baselines that they were saved as. */
  async list(): Promise<BenchmarkListedJson[]> {
    const { readBenchmarks } = await import('../service/benchmark/read-benchmarks.ts')
    const { benchmarkListJson } = await import('../render/benchmark/list.ts')
    return readBenchmarks(this.#options, async ({ benchmarks }) =>
      benchmarkListJson(await benchmarks.list()),
    )
  }

  /**
   * Holds `b` against `a`, the baseline; each is named as for `report`. `verdicts` of the answer says for each figure
   * whether it is worse by more than noise.
   */
  async compare(
    a: string | number,
    b: string | number,
    { allow = 0 }: CompareBenchmarksOptions = {},
  ): Promise<BenchmarkComparisonJson> {
    if (!Number.isFinite(allow) || allow < 0)
      throw new RangeError(`allow is ${allow}; it is a percentage from 0 on`)
    const { compareNamed } = await import('../service/benchmark/compare-named.ts')
    const { readBenchmarks } = await import('../service/benchmark/read-benchmarks.ts')
    const { benchmarkComparisonJson } = await import('../render/benchmark/comparison-json.ts')
    return readBenchmarks(this.#options, async (reader) =>
      benchmarkComparisonJson(await compareNamed(reader, String(a), String(b), allow)),
    )
  }
}
