import type { BenchmarkResult } from '../../analysis/benchmark/benchmark-result.ts'
import {
  compareBenchmarks,
  type BenchmarkComparison,
} from '../../analysis/benchmark/benchmark-comparison.ts'
import { benchmarkComparisonJson } from '../../render/benchmark/comparison-json.ts'
import { benchmarkJson } from '../../render/benchmark/json.ts'
import { benchmarkComparisonText, benchmarkText } from '../../render/benchmark/text.ts'
import { jsonText } from '../../render/text/json-text.ts'
import { findBenchmark, gatherBenchmark } from '../../service/benchmark/find-benchmark.ts'
import {
  benchmarkLimits,
  benchmarkRequest,
  usualBenchmark,
  type BenchmarkWishes,
} from '../../service/benchmark/benchmark-request.ts'
import { runBenchmark } from '../../service/benchmark/run-benchmark.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import { readerOf } from '../../store/ledger/ledger-reader.ts'
import { realSystem } from '../../system/real.ts'
import type { System } from '../../system/system.ts'
import { signalNumber } from '../../system/signals.ts'
import { commandAction } from '../command/action.ts'
import { defineCommand, globalOptions, type OptionValues } from '../command/define.ts'
import { openLedgerPatiently } from '../ledger/ledger.ts'
import { parseParams } from '../run/params.ts'
import type { Console } from '../terminal/console.ts'
import { endingSignals } from '../terminal/ending-signals.ts'
import { BenchmarkProgress } from './benchmark-progress.ts'
import { parseMatrix } from './matrix-option.ts'
import { regressionExit, regressionOptions } from './regression-options.ts'

const definition = defineCommand({
  name: 'benchmark run',
  aliases: [],
  summary: 'Runs a command several times, measures each run and says how the figures are spread.',
  usage: 'benchmark run [options] -- COMMAND [ARG...]',
  description:
    'Each run is recorded like any other job, with the tag benchmark:NAME. Runs of a matrix take turns, so that a machine that grows slower slows all of them alike. Exits with 3 if a run did not succeed, and as --fail-on-regression says.',
  arguments: [
    { name: 'command', required: true, variadic: true, says: 'what to run, with its arguments' },
  ],
  passthrough: true,
  options: {
    name: { type: 'string', value: 'NAME', says: 'its name (default: the script or tool)' },
    runs: {
      type: 'number',
      value: 'N',
      default: usualBenchmark.runs,
      ...benchmarkLimits.runs,
      whole: true,
      says: 'runs to count',
    },
    warmup: {
      type: 'number',
      value: 'N',
      default: usualBenchmark.warmup,
      ...benchmarkLimits.warmup,
      whole: true,
      says: 'runs before those, which are not counted',
    },
    matrix: {
      type: 'list',
      value: 'K=V,V',
      example: 'cpus=1,2,4',
      says: 'run it with each of these values, as {K} in the command and as variable K; cpus is also what it asks for',
    },
    device: {
      type: 'string',
      value: 'NAME',
      example: 'cpu',
      says: 'the device it runs on, as {device} in the command and on record; cpu hides the GPUs from it',
    },
    param: { type: 'list', value: 'K=V', says: 'a parameter to store with each record' },
    'save-baseline': {
      type: 'string',
      value: 'NAME',
      says: 'save it under this name if no run fails',
    },
    against: { type: 'string', value: 'NAME', says: 'compare it with this baseline or benchmark' },
    ...regressionOptions,
    timeout: { type: 'duration', value: 'TIME', min: 0.001, says: 'end a run after this time' },
    interval: {
      type: 'duration',
      value: 'TIME',
      default: usualBenchmark.intervalSeconds,
      min: 0.01,
      says: 'time between samples',
    },
    'show-output': {
      type: 'boolean',
      says: 'let the command print; otherwise its output is discarded',
    },
    quiet: { type: 'boolean', short: 'q', says: 'print no progress' },
    ...globalOptions,
  },
  examples: [
    'jobmeter benchmark run -- ./solve mesh.dat',
    'jobmeter benchmark run --runs 10 --matrix cpus=1,2,4 -- ./solve --threads {cpus}',
    'jobmeter benchmark run --save-baseline v1 -- ./solve mesh.dat',
    'jobmeter benchmark run --against v1 --fail-on-regression --allow 5 -- ./solve mesh.dat',
  ],
})

type Options = OptionValues<typeof definition>

export const execute = commandAction(definition, async ({ options, arguments: given, console }) => {
  const stop = new AbortController()
  const problems = new Set<string>()
  const request = benchmarkRequest(
    given.command,
    { ...wishesIn(options), signal: stop.signal },
    { showOutput: options['show-output'], onProblem: (problem) => void problems.add(problem) },
  )
  const system = realSystem({ ownsProcess: false })
  const ledger = openLedgerPatiently(system, options.db, options)
  // Before the runs: a name that does not exist is told at once, and a baseline may be saved anew under its own name.
  const baseline = await baselineOf(ledger, options.against)
  const stoppedBy = stopBySignal(system, stop)
  const progress = new BenchmarkProgress(system, console, options.quiet)
  const { result, isSaved } = await runBenchmark(system.clock, ledger, request, progress).finally(
    () => progress.end(),
  )
  ledger.close()
  const comparison =
    baseline === null ? null : compareBenchmarks(baseline, result, options.allow / 100)
  show(result, comparison, options.format, console)
  for (const problem of problems) console.complain(problem)
  const { saveBaseline } = request
  if (saveBaseline !== undefined && !isSaved)
    console.complain(
      `not saved as baseline "${saveBaseline}": not all runs were made, or some failed`,
    )
  const signal = stoppedBy()
  if (signal !== undefined) return 128 + signalNumber(signal)
  const judged = comparison === null ? 0 : regressionExit(comparison, options, console)
  return judged === 1 ? 1 : failureExit(result) || judged
})

async function baselineOf(
  ledger: Ledger,
  name: string | undefined,
): Promise<BenchmarkResult | null> {
  if (name === undefined) return null
  const reader = readerOf(ledger)
  return gatherBenchmark(reader, await findBenchmark(reader, name))
}

/** Runs lead process groups of their own: the keys of a terminal do not reach them. */
function stopBySignal(
  { processes }: System,
  stop: AbortController,
): () => NodeJS.Signals | undefined {
  let stoppedBy: NodeJS.Signals | undefined
  for (const signal of endingSignals)
    processes.onSignal(signal, () => {
      stoppedBy ??= signal
      stop.abort()
    })
  return () => stoppedBy
}

function show(
  result: BenchmarkResult,
  comparison: BenchmarkComparison | null,
  format: Options['format'],
  console: Console,
): void {
  const json = benchmarkJson(result)
  const compared = comparison === null ? null : benchmarkComparisonJson(comparison)
  if (format === 'json') {
    console.print(`${jsonText({ ...json, comparison: compared }, 2)}\n`)
    return
  }
  const style = console.style(1)
  console.print(benchmarkText(json, style))
  if (compared !== null) console.print(`\n${benchmarkComparisonText(compared, style)}`)
}

const failureExit = ({ failed }: BenchmarkResult): number => (failed.length > 0 ? 3 : 0)

function wishesIn(options: Options): BenchmarkWishes {
  const { name, device, timeout, 'save-baseline': saveBaseline } = options
  return {
    ...(name === undefined ? {} : { name }),
    ...(device === undefined ? {} : { device }),
    ...(timeout === undefined ? {} : { timeoutSeconds: timeout }),
    ...(saveBaseline === undefined ? {} : { saveBaseline }),
    runs: options.runs,
    warmup: options.warmup,
    matrix: parseMatrix(options.matrix),
    params: parseParams(options.param),
    intervalSeconds: options.interval,
  }
}
