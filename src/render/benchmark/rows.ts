import { cellLabel } from '../../model/benchmark.ts'
import { count } from '../../model/count.ts'
import { fixedKeeping, formatBytes, notMeasured } from '../units/figures.ts'
import { printable } from '../text/printable.ts'
import type { BenchmarkJson, CellJson, MetricKey, RatioJson, SpreadJson } from './json.ts'

/** The parts of a benchmark that text, Markdown and pages lay out in their own ways. */

export const metricLabels: Readonly<Record<MetricKey, string>> = {
  duration_seconds: 'Duration',
  cpu_seconds: 'CPU time',
  memory_peak_bytes: 'Memory peak',
  read_bytes: 'Read',
  write_bytes: 'Written',
}

/** `812.4 µs`, `12.34 ms`, `1.234 s`, `61.23 s`: four digits, because runs are told apart by their last ones. */
export function benchmarkSeconds(seconds: number): string {
  if (seconds === 0) return '0 s'
  const [scaled, unit] =
    seconds < 0.001 ? [seconds * 1e6, 'µs'] : seconds < 1 ? [seconds * 1e3, 'ms'] : [seconds, 's']
  const digits = Math.max(0, 3 - Math.floor(Math.log10(Math.max(1, scaled))))
  return `${scaled.toFixed(Math.min(3, digits))} ${unit}`
}

export const formatOf = (key: MetricKey): ((value: number) => string) =>
  key.endsWith('_seconds') ? benchmarkSeconds : formatBytes

export const labelOf = (cell: CellJson['cell']): string => printable(cellLabel(cell))

export const statisticHeaders = [
  'Cell',
  'Figure',
  'Runs',
  'Mean',
  '± Std. Dev.',
  'Min',
  'Max',
  '95 % of the Mean',
] as const

export function statisticRows({ cells }: Pick<BenchmarkJson, 'cells'>): string[][] {
  return cells.flatMap(({ cell, metrics }) =>
    shownMetrics(metrics).map(([key, spread], index) => [
      index === 0 ? labelOf(cell) : '',
      metricLabels[key],
      String(spread.count),
      ...spreadCells(spread, formatOf(key)),
    ]),
  )
}

/** I/O that never happened takes no lines. */
function shownMetrics(metrics: CellJson['metrics']): [MetricKey, SpreadJson][] {
  return (Object.keys(metrics) as MetricKey[]).flatMap((key): [MetricKey, SpreadJson][] => {
    const spread = metrics[key]
    return spread === null || (spread.max === 0 && key !== 'duration_seconds')
      ? []
      : [[key, spread]]
  })
}

function spreadCells(spread: SpreadJson, format: (value: number) => string): string[] {
  const { standard_deviation: deviation, ci_low: low, ci_high: high } = spread
  return [
    format(spread.mean),
    deviation === null ? notMeasured : format(deviation),
    format(spread.min),
    format(spread.max),
    low === null || high === null ? notMeasured : `${format(Math.max(0, low))} to ${format(high)}`,
  ]
}

export const speedUpHeaders = ['Cell', 'Against', 'Speed-up', '95 %', 'Efficiency', '95 %'] as const

export function speedUpRows({ speed_ups: all }: Pick<BenchmarkJson, 'speed_ups'>): string[][] {
  return all.map(({ cell, against, speed_up: speedUp, efficiency }) => [
    labelOf(cell),
    labelOf(against),
    ...ratioCells(speedUp, (value) => `${fixedKeeping(value, 2)} ×`),
    ...ratioCells(efficiency, (value) => `${fixedKeeping(100 * value, 1)} %`),
  ])
}

function ratioCells(ratio: RatioJson | null, format: (value: number) => string): string[] {
  if (ratio === null) return [notMeasured, notMeasured]
  const { value, ci_low: low, ci_high: high } = ratio
  const interval = low === null || high === null ? notMeasured : `${format(low)} to ${format(high)}`
  return [format(value), interval]
}

/** What the tables cannot say: runs that are missing, failed or stand apart. */
export function benchmarkNotes(benchmark: BenchmarkJson): string[] {
  const { finished, runs_planned: planned, runs_counted: counted } = benchmark
  const pruned = benchmark.runs.filter(({ status }) => status === undefined).length
  return [
    ...failureNotes(benchmark.warmup_runs, 'Warm-up'),
    ...failureNotes(benchmark.runs, 'Run'),
    ...benchmark.cells.flatMap(outlierNotes),
    ...(pruned > 0 ? [`The records of ${count(pruned, 'run')} were pruned.`] : []),
    ...(finished ? [] : [`It was not finished: ${counted} of ${planned} runs are counted.`]),
  ]
}

const failureNotes = (runs: BenchmarkJson['runs'], what: string): string[] =>
  runs
    .filter(({ status }) => status !== undefined && status !== 'success')
    .map(
      ({ run_number: run, cell, error, task_id: id }) =>
        `${runWords(cell, run, what)} did not succeed and is not in these figures: ${printable(error ?? 'no reason is known')} (${(id ?? '').slice(0, 12)}).`,
    )

function outlierNotes({ cell, metrics }: CellJson): string[] {
  const { outliers = [], median = 0 } = metrics.duration_seconds ?? {}
  return outliers.map(({ run_number: run, value }) => {
    const why = value > median ? ' Was the machine busy with something else?' : ''
    return `${runWords(cell, run)} stands apart with ${benchmarkSeconds(value)}; it is counted.${why}`
  })
}

const runWords = (cell: CellJson['cell'], run: number, what = 'Run'): string => {
  const label = labelOf(cell)
  return label === '' ? `${what} ${run}` : `${what} ${run} of ${label}`
}
