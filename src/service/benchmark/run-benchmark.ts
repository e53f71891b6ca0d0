import { filledIn, turnsOf } from '../../analysis/benchmark/turns.ts'
import {
  benchmarkResult,
  type BenchmarkResult,
  type BenchmarkRun,
} from '../../analysis/benchmark/benchmark-result.ts'
import type { BenchmarkTurn } from '../../model/benchmark.ts'
import type { JobRecord } from '../../model/record.ts'
import { parseScalar } from '../../model/scalar.ts'
import { measure } from '../../record/measure.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import { givenEnvironment } from '../../system/given.ts'
import type { Clock } from '../../system/system.ts'
import type { BenchmarkRequest } from './benchmark-request.ts'

/** Who hears how a benchmark goes. */
export interface BenchmarkWatcher {
  began?(turn: BenchmarkTurn, index: number, total: number): void
  ended?(run: BenchmarkRun, index: number, total: number): void
}

/**
 * Makes the runs of a benchmark, one after the other. Each is an attempt in the ledger as soon as it has ended, so that
 * whatever befalls us leaves those that were made. A command that cannot be run at all ends the benchmark: the next try
 * would end in the same way. It becomes a baseline, if asked to, when all runs were made and none failed.
 */
export async function runBenchmark(
  clock: Clock,
  ledger: Ledger,
  request: BenchmarkRequest,
  watcher: BenchmarkWatcher = {},
): Promise<{ readonly result: BenchmarkResult; readonly isSaved: boolean }> {
  const { definition, measuring, saveBaseline } = request
  const startedAt = clock.wallSeconds()
  const id = ledger.benchmarks.begin(definition, startedAt)
  const turns = turnsOf(definition)
  const runs: BenchmarkRun[] = []
  for (const [index, turn] of turns.entries()) {
    if (measuring.signal?.aborted) break
    watcher.began?.(turn, index, turns.length)
    const record = await measureTurn(ledger.path, request, turn)
    // What was cut short on request says nothing of the command.
    if (measuring.signal?.aborted) break
    ledger.benchmarks.addRun(id, { ...turn, taskId: record.taskId })
    const run = { ...turn, record }
    runs.push(run)
    watcher.ended?.(run, index, turns.length)
    if (record.status === 'error') break
  }
  const isWhole = runs.length === turns.length
  const endedAt = isWhole ? clock.wallSeconds() : null
  if (endedAt !== null) ledger.benchmarks.end(id, endedAt)
  const result = benchmarkResult({ id, definition, startedAt, endedAt, runs })
  const isSaved = saveBaseline !== undefined && isWhole && result.failed.length === 0
  if (isSaved) ledger.benchmarks.saveBaseline(saveBaseline, id, clock.wallSeconds())
  return { result, isSaved }
}

function measureTurn(
  ledger: string,
  { definition, device, measuring }: BenchmarkRequest,
  { cell, isWarmUp }: BenchmarkTurn,
): Promise<JobRecord> {
  const { name, command, params } = definition
  const values = device === undefined ? cell : { device, ...cell }
  const scalars = Object.entries(values).map(([key, value]) => [key, parseScalar(value)])
  const cpus = Number(cell['cpus'])
  return measure(filledIn(command, values), {
    ...measuring,
    ledger,
    name,
    params: { ...params, ...(Object.fromEntries(scalars) as typeof params) },
    tags: ['benchmark', `benchmark:${name}`, ...(isWarmUp ? ['warmup'] : [])],
    requirements: cpus > 0 ? { cpus } : {},
    environment: { ...givenEnvironment(), ...deviceEnvironment(device), ...cell },
    stdin: '/dev/null',
  })
}

function deviceEnvironment(device: string | undefined): Record<string, string> {
  if (device === undefined) return {}
  const hidden = { CUDA_VISIBLE_DEVICES: '', ROCR_VISIBLE_DEVICES: '' }
  return { JOBMETER_DEVICE: device, ...(device === 'cpu' ? hidden : {}) }
}
