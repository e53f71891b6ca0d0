import type { ComparedMetric } from '../analysis/comparison.ts'
import type { ComparisonJson, MetricJson, SetJson } from './comparison-json.ts'
import { fixedKeeping, formatBytes, formatSeconds, notMeasured, orDash } from './figures.ts'
import { count } from './job-facts.ts'
import { printable } from './printable.ts'

export const metricHeaders = ['', 'A', 'B', 'Change', '95 % of Cases', 'p', 'Verdict'] as const

const labels: Readonly<Record<ComparedMetric, string>> = {
  duration: 'Duration',
  cpu: 'CPU time',
  memory: 'Memory peak',
  read: 'Read',
  write: 'Written',
}

export function metricCells(one: MetricJson): string[] {
  const format = one.unit === 'seconds' ? formatSeconds : formatBytes
  const { change_low_percent: low, change_high_percent: high } = one
  return [
    labels[one.metric],
    orDash(one.a, format),
    orDash(one.b, format),
    orDash(one.change_percent, signedPercent),
    low === null || high === null ? notMeasured : `${signedPercent(low)} to ${signedPercent(high)}`,
    orDash(one.p_value, (p) => fixedKeeping(p, 3)),
    verdict(one),
  ]
}

function verdict({ difference, count_a: a, count_b: b }: MetricJson): string {
  switch (difference) {
    case 'worse':
      return 'worse, more than noise'
    case 'better':
      return 'better, more than noise'
    case 'noise':
      return 'no more than noise'
    case 'cannot-judge':
      return `cannot tell from noise (${a} and ${b})`
    case 'not-measured':
      return 'not measured'
  }
}

/** `+12.3 %`. */
const signedPercent = (percent: number): string =>
  `${percent > 0 ? '+' : ''}${fixedKeeping(percent, 1)} %`

export const setLine = (side: 'A' | 'B', { set, runs, left_out: left }: SetJson): string =>
  `${side}: ${printable(set)}, ${count(runs, 'run')}${left === 0 ? '' : `; ${left} that did not succeed left out`}`

/** What the table cannot say by itself. */
export function comparisonNotes({ by, unpaired, metrics }: ComparisonJson): string[] {
  const notes: string[] = []
  if (by === 'jobs')
    notes.push(
      'Each job is compared with its namesake: A and B are totals over all jobs, the test is of pairs.',
    )
  else notes.push('A and B are medians.')
  if (unpaired.length > 0)
    notes.push(`Only on one side, and not compared: ${unpaired.map(printable).join(', ')}.`)
  if (metrics.some(({ difference }) => difference === 'cannot-judge'))
    notes.push(
      by === 'jobs'
        ? 'Noise cannot be judged with so few jobs: it takes 6 pairs.'
        : 'Noise cannot be judged with so few runs: it takes 4 and 4, or 3 and 5.',
    )
  return notes
}
