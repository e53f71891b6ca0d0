import type { BenchmarkResult, BenchmarkRun } from '../../analysis/benchmark/benchmark-result.ts'
import { ledgerPlace } from '../../record/ledger-place.ts'
import { openLedgerToWrite } from '../../record/open-ledger.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import { backgroundSystem } from '../../system/background-system.ts'
import { benchmarkRequest, type BenchmarkWishes } from './benchmark-request.ts'
import type { LedgerAsked } from './read-benchmarks.ts'
import { runBenchmark } from './run-benchmark.ts'

type Commands = Readonly<Record<string, readonly string[]>>

/** A benchmark by its command or its name, for who has no ledger open. */
export async function runNamedBenchmark(
  { ledger: place, onProblem = () => {}, benchmarks = {} }: LedgerAsked & { benchmarks?: Commands },
  nameOrCommand: string | readonly string[],
  wishes: BenchmarkWishes,
  ended: (run: BenchmarkRun) => void,
): Promise<BenchmarkResult> {
  // For its files and the time alone: runs are made, and waited for, by `measure`.
  const system = backgroundSystem()
  const { path } = ledgerPlace(system, place, process.env)
  const ledger = openLedgerToWrite(system, path, { onProblem })
  try {
    const request = benchmarkRequest(
      commandOf(benchmarks, ledger, nameOrCommand),
      typeof nameOrCommand === 'string' ? { name: nameOrCommand, ...wishes } : wishes,
      { showOutput: false, onProblem },
    )
    return (await runBenchmark(system.clock, ledger, request, { ended })).result
  } finally {
    ledger.close()
  }
}

function commandOf(
  benchmarks: Commands,
  ledger: Ledger,
  nameOrCommand: string | readonly string[],
): readonly string[] {
  if (typeof nameOrCommand !== 'string') return nameOrCommand
  const given = Object.hasOwn(benchmarks, nameOrCommand) ? benchmarks[nameOrCommand] : undefined
  const command = given ?? ledger.benchmarks.findByName(nameOrCommand)?.definition.command
  if (command !== undefined) return command
  throw new TypeError(
    `no benchmark is called "${nameOrCommand}": give a command as a list of words, or give BenchmarkRunner a command of that name in benchmarks`,
  )
}
