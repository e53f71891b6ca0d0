import type { Statements } from '../connection.ts'
import type { BenchmarkRows, Values } from './batch.ts'
import { assigned, boundBy, listed } from './incoming.ts'
import { benchmarkRunShape, benchmarkShape } from './shapes.ts'

const keepBenchmark = `
  INSERT INTO benchmark (source_id, ${listed(benchmarkShape)}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (source_id, source_benchmark_id) DO UPDATE SET ${assigned(benchmarkShape, 'excluded')}
  RETURNING id`

const keepRun = `
  INSERT INTO benchmark_run (benchmark_id, ${listed(benchmarkRunShape)}) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (benchmark_id, position) DO UPDATE SET ${assigned(benchmarkRunShape, 'excluded')}`

export async function mergeBenchmarks(
  statements: Statements,
  sourceId: number,
  benchmarks: readonly BenchmarkRows[],
): Promise<void> {
  for (const { benchmark, runs } of benchmarks) {
    const [row] = await statements.rows(keepBenchmark, [
      sourceId,
      ...boundBy(benchmarkShape, benchmark),
    ])
    for (const run of runs)
      await statements.run(keepRun, [Number(row?.['id']), ...boundBy(benchmarkRunShape, run)])
  }
}

const addBaseline = `
  INSERT INTO baseline (source_id, name, benchmark_id, saved_at)
  SELECT ?, ?, id, ? FROM benchmark WHERE source_id = ? AND source_benchmark_id = ?
  ON CONFLICT (source_id, name) DO UPDATE SET benchmark_id = excluded.benchmark_id, saved_at = excluded.saved_at`

/** Names that benchmarks were saved under. A name is only ever given to another benchmark, never taken away. */
export async function mergeBaselines(
  statements: Statements,
  sourceId: number,
  baselines: readonly Values[],
): Promise<void> {
  for (const { name, saved_at: savedAt, source_benchmark_id: benchmarkId } of baselines)
    await statements.run(addBaseline, [
      sourceId,
      String(name),
      Number(savedAt),
      sourceId,
      Number(benchmarkId),
    ])
}
