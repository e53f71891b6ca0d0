import { benchmarkResult, type BenchmarkResult } from '../../analysis/benchmark/benchmark-result.ts'
import { didYouMean } from '../../model/suggest.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import type { BenchmarkHead } from '../../model/benchmark.ts'
import { UserError } from '../user-error.ts'

/** What people may call a benchmark where one is asked for. */
export const benchmarkWords =
  'the id of a benchmark, a baseline, the name of a benchmark (its newest), or `last`'

/** In this order, so that a baseline can be had though a benchmark has the same name. */
export async function findBenchmark(
  { benchmarks }: LedgerReader,
  typed: string,
): Promise<BenchmarkHead> {
  const all = typed.toLowerCase() === 'last' ? await benchmarks.list() : []
  const found =
    all[0] ??
    (/^\d{1,15}$/.test(typed) ? await benchmarks.find(Number(typed)) : undefined) ??
    (await benchmarks.findBaseline(typed)) ??
    (await benchmarks.findByName(typed))
  if (found !== undefined) return found
  const known = (await benchmarks.list()).flatMap(({ definition, baselines }) => [
    definition.name,
    ...baselines,
  ])
  if (known.length === 0)
    throw new UserError('no benchmark is recorded yet. Make one: jobmeter benchmark run -- COMMAND')
  throw new UserError(
    `no benchmark or baseline is called "${typed}".${didYouMean(typed, known)} See jobmeter benchmark list`,
  )
}

/** A benchmark with the whole record of each of its runs. */
export async function gatherBenchmark(
  reader: LedgerReader,
  { id, definition, startedAt, endedAt }: BenchmarkHead,
): Promise<BenchmarkResult> {
  const stored = await reader.benchmarks.runs(id)
  const runs = await Promise.all(
    stored.map(async ({ taskId, ...turn }) => {
      const [record] = await reader.jobs.findByPrefix(taskId)
      return { ...turn, record: record ?? null }
    }),
  )
  return benchmarkResult({ id, definition, startedAt, endedAt, runs })
}
