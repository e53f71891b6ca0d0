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

/** Where the figures of several jobs are added up: a run takes less time than that, and holds less memory. */
const summed: Readonly<Partial<Record<ComparedMetric, string>>> = {
  duration: 'Job time, summed',
  memory: 'Memory peaks, summed',
}

export const metricRows = ({ metrics, by, jobs }: ComparisonJson): string[][] =>
  metrics.map((one) => metricCells(one, by === 'jobs' || jobs !== null))

function metricCells(one: MetricJson, isSum: boolean): string[] {
  const format = one.unit === 'seconds' ? formatSeconds : formatBytes
  const { change_low_percent: low, change_high_percent: high } = one
  return [
    (isSum ? summed[one.metric] : undefined) ?? labels[one.metric],
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

/** What it takes to tell a difference from noise. */
const enough = { jobs: 'that takes 6 pairs', runs: 'that takes 4 and 4 runs, or 3 and 5' } as const

function whyNotJudged({ by, a, b, jobs }: ComparisonJson): string {
  if (by === 'jobs') return `Noise cannot be judged with so few jobs: ${enough.jobs}.`
  if (a.runs > 1 || b.runs > 1) return `Noise cannot be judged with so few runs: ${enough.runs}.`
  const because =
    jobs === null ? '' : ', because all jobs of a run share what else the machine was doing'
  return `A difference between single runs cannot be told from noise${because}: ${enough.runs}.`
}

/** Why it cannot be said whether B is worse by one metric: `cpu cannot be judged: it was not measured in A`. */
export function metricNotJudged(comparison: ComparisonJson, metric: ComparedMetric): string {
  const { by, metrics } = comparison
  const { count_a: a = 0, count_b: b = 0 } = metrics.find((one) => one.metric === metric) ?? {}
  const empty = emptySides(comparison.a.runs, comparison.b.runs)
  if (empty !== '') return `${metric} cannot be judged: there is no run to compare in ${empty}`
  const unmeasured = by === 'jobs' && a === 0 ? 'any pair of jobs' : emptySides(a, b)
  if (unmeasured !== '') return `${metric} cannot be judged: it was not measured in ${unmeasured}`
  return by === 'jobs'
    ? `${metric} cannot be judged with ${count(a, 'pair')} of jobs: ${enough.jobs}`
    : `${metric} cannot be judged with ${a} against ${b} runs: ${enough.runs}`
}

const emptySides = (a: number, b: number): string =>
  [a === 0 ? 'A' : [], b === 0 ? 'B' : []].flat().join(' and ')
