import { cellsOf } from '../../analysis/benchmark/turns.ts'
import type { BenchmarkDefinition, BenchmarkHead } from '../../model/benchmark.ts'
import { utcTime } from '../units/iso-time.ts'
import { shortTime, type Zone } from '../units/zoned-time.ts'
import { printable } from '../text/printable.ts'
import type { Style } from '../text/style.ts'
import { table } from '../text/table.ts'

const columns = [
  { header: 'ID', align: 'right' },
  { header: 'Name', align: 'left' },
  { header: 'Started', align: 'left' },
  { header: 'Runs', align: 'right' },
  { header: 'Cells', align: 'right' },
  { header: 'Baseline', align: 'left' },
  { header: 'Command', align: 'left' },
] as const

export function benchmarkListText(
  benchmarks: readonly BenchmarkHead[],
  style: Style,
  zone: Zone,
): string {
  if (benchmarks.length === 0)
    return 'No benchmarks yet. Make one: jobmeter benchmark run -- COMMAND\n'
  const rows = benchmarks.map(({ id, definition, startedAt, baselines, runCount }) => [
    String(id),
    printable(definition.name),
    shortTime(startedAt, zone),
    `${runCount} of ${plannedRuns(definition)}`,
    String(cellsOf(definition.matrix).length),
    printable(baselines.join(', ')),
    printable(definition.command.join(' ')),
  ])
  const [header = '', ...lines] = table(columns, rows).split('\n')
  return `${[style.bold(header), ...lines].join('\n')}\n`
}

/**
 * A benchmark in a list, without its runs.
 *
 * @see BenchmarkRunner
 */
export interface BenchmarkListedJson {
  readonly benchmark_id: number
  readonly name: string
  readonly command: readonly string[]
  readonly start_time: string | null
  readonly end_time: string | null
  /** Whether all runs were made. */
  readonly finished: boolean
  /** The names it was saved under. */
  readonly baselines: readonly string[]
  /** Runs for warming up are counted here and in `runs_planned`. */
  readonly runs_made: number
  readonly runs_planned: number
  readonly matrix: Readonly<Record<string, readonly string[]>>
}

export const benchmarkListJson = (benchmarks: readonly BenchmarkHead[]): BenchmarkListedJson[] =>
  benchmarks.map(({ id, definition, startedAt, endedAt, baselines, runCount }) => ({
    benchmark_id: id,
    name: definition.name,
    command: definition.command,
    start_time: utcTime(startedAt),
    end_time: utcTime(endedAt),
    finished: endedAt !== null,
    baselines,
    runs_made: runCount,
    runs_planned: plannedRuns(definition),
    matrix: Object.fromEntries(definition.matrix.map(({ name, values }) => [name, values])),
  }))

/** Those for warming up included. */
const plannedRuns = ({ matrix, runs, warmup }: BenchmarkDefinition): number =>
  cellsOf(matrix).length * (runs + warmup)
