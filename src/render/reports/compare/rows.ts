import type { ComparedMetric } from '../../../analysis/compare/compared-run.ts'
import type { ComparisonJson, MetricJson, SetJson } from './json.ts'
import {
  fixedKeeping,
  formatBytes,
  formatCount,
  formatSeconds,
  notMeasured,
  orDash,
  signedPercent,
} from '../../units/figures.ts'
import { count } from '../../../model/count.ts'
import { printable } from '../../text/printable.ts'
import { lowerBoundWords } from '../../units/usage-figure.ts'

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
    orDash(one.a, bounded(format, one.a_is_lower_bound)),
    orDash(one.b, bounded(format, one.b_is_lower_bound)),
    orDash(one.change_percent, signedPercent),
    low === null || high === null ? notMeasured : `${signedPercent(low)} to ${signedPercent(high)}`,
    orDash(one.p_value, (p) => fixedKeeping(p, 3)),
    verdict(one),
  ]
}

/** How a difference compares with noise, in words. */
export const noiseWords = {
  worse: 'worse, more than noise',
  better: 'better, more than noise',
  noise: 'no more than noise',
} as const

const bounded =
  (format: (value: number) => string, isLeast: boolean) =>
  (value: number): string =>
    `${isLeast ? lowerBoundWords : ''}${format(value)}`

function verdict({ difference, count_a: a, count_b: b }: MetricJson): string {
  switch (difference) {
    case 'worse':
    case 'better':
    case 'noise':
      return noiseWords[difference]
    case 'cannot-judge':
      return `cannot be told from noise (${a} and ${b})`
    case 'not-measured':
      return 'not measured'
  }
}

export function setLine(side: 'A' | 'B', { set, runs, left_out: left, partial }: SetJson): string {
  const parts = [
    `${side}: ${printable(set)}, ${count(runs, 'run')}`,
    left === 0 ? null : `leaving out ${left} that did not succeed`,
    partial === 0 ? null : `leaving out ${count(partial, 'run')} with only some of the jobs`,
  ]
  return parts.filter((part) => part !== null).join('; ')
}

/** What the table cannot say by itself. */
export function comparisonNotes(comparison: ComparisonJson): string[] {
  const { by, jobs, unpaired, metrics } = comparison
  const notes = [howCompared(by, jobs)]
  if (unpaired.length > 0) notes.push(`Only on one side, so not compared: ${firstNames(unpaired)}.`)
  if (metrics.some(({ difference }) => difference === 'cannot-judge'))
    notes.push(whyNotJudged(comparison))
  return notes
}

const mostNames = 10

function firstNames(names: readonly string[]): string {
  const more = names.length - mostNames
  const shown = names.slice(0, mostNames).map(printable).join(', ')
  return more > 0 ? `${shown} and ${formatCount(more)} more` : shown
}

function howCompared(by: ComparisonJson['by'], jobs: number | null): string {
  if (by === 'jobs')
    return (
      'Each job is compared with the job of the same name: A and B are totals over all jobs, and the test is on pairs. ' +
      'The test treats each pair as a run of its own; it cannot see what they share, such as a busy machine.'
    )
  if (jobs === null) return 'A and B are medians.'
  return `A run of a workflow counts as one: A and B are medians over runs, of the total of ${count(jobs, 'job')}.`
}

function whyNotJudged({ by, a, b, jobs }: ComparisonJson): string {
  if (by === 'jobs') return 'Noise cannot be judged with so few jobs: that takes 6 pairs.'
  const enough = 'that takes 4 and 4 runs, or 3 and 5'
  if (a.runs > 1 || b.runs > 1) return `Noise cannot be judged with so few runs: ${enough}.`
  const because =
    jobs === null ? '' : ', because all jobs of a run share what else the machine was doing'
  return `A difference between single runs cannot be told from noise${because}: ${enough}.`
}
