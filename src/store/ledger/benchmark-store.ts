import type { BenchmarkDefinition, BenchmarkHead, BenchmarkTurn } from '../../model/benchmark.ts'

/** The part of the ledger that keeps benchmarks: which runs belong together, and which were saved as baselines. */
export interface BenchmarkStore {
  /** Keeps a benchmark before its first run; answers its id, counted from 1. */
  begin(definition: BenchmarkDefinition, startedAt: number): number
  /** Adds a run that has ended. Its record is an attempt like all others. */
  addRun(benchmarkId: number, run: StoredBenchmarkRun): void
  end(benchmarkId: number, endedAt: number): void
  /** Saves a benchmark under a name, in the place of what had that name. */
  saveBaseline(name: string, benchmarkId: number, savedAt: number): void
  /** Newest first. */
  list(): BenchmarkHead[]
  find(benchmarkId: number): BenchmarkHead | undefined
  /** The newest one of this name. */
  findByName(name: string): BenchmarkHead | undefined
  findBaseline(name: string): BenchmarkHead | undefined
  /** In the order in which they were made. */
  runs(benchmarkId: number): StoredBenchmarkRun[]
}

export interface StoredBenchmarkRun extends BenchmarkTurn {
  readonly taskId: string
}
