import {
  compareBenchmarks,
  type BenchmarkComparison,
} from '../../analysis/benchmark/benchmark-comparison.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import { findBenchmark, gatherBenchmark } from './find-benchmark.ts'

/** Holds B against A, each by any of its names. */
export async function compareNamed(
  reader: LedgerReader,
  a: string,
  b: string,
  allowPercent: number,
): Promise<BenchmarkComparison> {
  const baseline = await gatherBenchmark(reader, await findBenchmark(reader, a))
  const compared = await gatherBenchmark(reader, await findBenchmark(reader, b))
  return compareBenchmarks(baseline, compared, allowPercent / 100)
}
