import { count } from '../../model/count.ts'
import { fixedKeeping, notMeasured, orDash, signedPercent } from '../units/figures.ts'
import { noiseWords } from '../reports/compare/rows.ts'
import { printable } from '../text/printable.ts'
import type { BenchmarkComparisonJson, ChangeJson, SideJson } from './comparison-json.ts'
import { formatOf, labelOf, metricLabels } from './rows.ts'

export const changeHeaders = ['Cell', 'Figure', 'A', 'B', 'Change', '95 %', 'p', 'Verdict'] as const

export const sideLine = (side: 'A' | 'B', { benchmark_id: id, name, runs, failed }: SideJson) =>
  `${side}: ${printable(name)} (benchmark ${id}), ${count(runs, 'run')}${failed > 0 ? `; ${failed} failed and left out` : ''}`

export function changeRows({ cells }: BenchmarkComparisonJson): string[][] {
  return cells.flatMap(({ cell, metrics }) =>
    metrics
      .filter(isWorthShowing)
      .map((one, index) => [index === 0 ? labelOf(cell) : '', ...changeCells(one)]),
  )
}

/** I/O that never happened takes no lines. */
export const isWorthShowing = ({ mean_a: a, mean_b: b, metric }: ChangeJson): boolean =>
  metric === 'duration_seconds' || (a ?? 0) > 0 || (b ?? 0) > 0

function changeCells(one: ChangeJson): string[] {
  const format = formatOf(one.metric)
  const { ratio } = one
  const percent = (value: number): string => signedPercent(100 * (value - 1))
  const p = one.change === 'better' ? one.p_better : one.p_worse
  return [
    metricLabels[one.metric],
    orDash(one.mean_a, format),
    orDash(one.mean_b, format),
    ratio === null ? notMeasured : percent(ratio.value),
    ratio === null || ratio.ci_low === null || ratio.ci_high === null
      ? notMeasured
      : `${percent(ratio.ci_low)} to ${percent(ratio.ci_high)}`,
    orDash(p, (value) => fixedKeeping(value, 3)),
    verdict(one),
  ]
}

function verdict({ change, count_a: a, count_b: b }: ChangeJson): string {
  if (change !== 'cannot-judge') return noiseWords[change]
  return a === 0 || b === 0 ? 'not measured' : `too few runs to judge (${a} and ${b})`
}

export function comparisonNotes(comparison: BenchmarkComparisonJson): string[] {
  const { false_alarm_rate: rate, allowed_percent: allowed, cells, unpaired } = comparison
  const percent = fixedKeeping(100 * rate, 0)
  const overCells = cells.length > 1 ? `, over all ${cells.length} cells together` : ''
  return [
    `A and B are means; less is better. Where nothing changed, a figure is called worse in at most ${percent} of 100 comparisons${overCells} (one-sided rank test).`,
    ...(allowed > 0 ? [`Growth by up to ${fixedKeeping(allowed, 1)} % is allowed.`] : []),
    ...(unpaired.length > 0
      ? [`Only on one side, so not compared: ${unpaired.map(printable).join(', ')}.`]
      : []),
  ]
}
