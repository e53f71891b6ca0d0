import type { BriefRecord } from '../../model/brief-record.ts'
import {
  medianRatioInterval,
  totalRatioInterval,
  type Interval,
  type Pair,
} from '../statistics/bootstrap.ts'
import { median } from '../statistics/median.ts'
import { rankSumTest, signedRankTest, type RankTest } from '../statistics/rank-test.ts'
import { wholeRuns } from './whole-runs.ts'

/** What two sets of runs are compared by; less is better for all of them. */
export const comparedMetrics = ['duration', 'cpu', 'memory', 'read', 'write'] as const
export type ComparedMetric = (typeof comparedMetrics)[number]

/** The figures of a usage that this takes. */
export const comparedKeys = [
  'cpuTotalSeconds',
  'memoryPeakBytes',
  'readBytes',
  'writeBytes',
] as const

/** A run with the figures that it is compared by. */
export interface ComparedRun extends BriefRecord<(typeof comparedKeys)[number]> {
  /** The run of a workflow that it was a job of, such as `1/2`; none for a command by itself. */
  readonly workflowRun?: string
}

const figureOf: Readonly<Record<ComparedMetric, (run: ComparedRun) => number | null>> = {
  duration: (run) => run.durationSeconds,
  cpu: ({ usage }) => usage.cpuTotalSeconds.value,
  memory: ({ usage }) => usage.memoryPeakBytes.value,
  read: ({ usage }) => usage.readBytes.value,
  write: ({ usage }) => usage.writeBytes.value,
}

export type Difference =
  /** More than noise. */
  | 'worse'
  | 'better'
  /** No more than noise. */
  | 'noise'
  /** Too few runs to tell noise from anything. */
  | 'cannot-judge'
  | 'not-measured'

export interface MetricComparison {
  readonly metric: ComparedMetric
  /** Runs, or pairs of jobs, that the figure was measured in. */
  readonly countA: number
  readonly countB: number
  /** The median of the set; of pairs, the total over all jobs. */
  readonly a: number | null
  readonly b: number | null
  /** b ÷ a. */
  readonly ratio: number | null
  /** In which the ratio lies in 95 of 100 cases; null with fewer than 3 on a side. */
  readonly interval: Interval | null
  readonly test: RankTest | null
  readonly difference: Difference
}

export interface Comparison {
  /** `jobs`: each side has several commands, and each is compared with its namesake. */
  readonly by: 'runs' | 'jobs'
  /** Of how many jobs the figures of a run of a workflow are the total; null where a run is one job. */
  readonly jobs: number | null
  readonly runsA: number
  readonly runsB: number
  /** Runs that did not succeed: their figures say nothing of a whole run. */
  readonly leftOutA: number
  readonly leftOutB: number
  /** Runs of a workflow that lack some of the jobs: their totals would say nothing. */
  readonly partialA: number
  readonly partialB: number
  /** Jobs of one side without a namesake on the other, where jobs are compared. */
  readonly unpaired: readonly string[]
  readonly metrics: readonly MetricComparison[]
}

/** From this on a difference counts as more than noise. */
const significance = 0.05

export function compareRuns(
  setA: readonly ComparedRun[],
  setB: readonly ComparedRun[],
  includeFailed = false,
): Comparison {
  const a = setA.filter((run) => counts(run, includeFailed))
  const b = setB.filter((run) => counts(run, includeFailed))
  const namesA = new Set(a.map(({ name }) => name))
  const namesB = new Set(b.map(({ name }) => name))
  const shared = [...namesA].filter((name) => namesB.has(name))
  const isShared = (name: string): boolean => namesA.has(name) && namesB.has(name)
  const leftOut = { leftOutA: setA.length - a.length, leftOutB: setB.length - b.length }
  const unpaired = shared.length > 0 ? [...namesA, ...namesB].filter((name) => !isShared(name)) : []
  if ([...a, ...b].some(({ workflowRun }) => workflowRun !== undefined))
    return { ...compareWhole(a, b, shared), ...leftOut, unpaired }
  const byJobs = shared.length > 1
  return {
    by: byJobs ? 'jobs' : 'runs',
    jobs: null,
    runsA: a.length,
    runsB: b.length,
    ...leftOut,
    partialA: 0,
    partialB: 0,
    unpaired: byJobs ? unpaired : [],
    metrics: comparedMetrics.map((metric) =>
      byJobs
        ? comparePairs(metric, pairs(metric, a, b, shared))
        : compareSets(metric, known(metric, a), known(metric, b)),
    ),
  }
}

/**
 * The run is what is drawn by chance, not the job: all jobs of a run share what the machine did meanwhile, and eight of
 * them that took longer are one piece of evidence.
 */
function compareWhole(
  setA: readonly ComparedRun[],
  setB: readonly ComparedRun[],
  shared: readonly string[],
): Omit<Comparison, 'leftOutA' | 'leftOutB' | 'unpaired'> {
  const whole = wholeRuns(setA, setB, shared)
  const totals = (metric: ComparedMetric, runs: readonly (readonly ComparedRun[])[]) =>
    runs.map((jobs) => totalOf(metric, jobs)).filter((total) => total !== null)
  return {
    by: 'runs',
    jobs: whole.jobs,
    runsA: whole.a.length,
    runsB: whole.b.length,
    partialA: whole.partialA,
    partialB: whole.partialB,
    metrics: comparedMetrics.map((metric) =>
      compareSets(metric, totals(metric, whole.a), totals(metric, whole.b)),
    ),
  }
}

/** Null where it was not measured of every job. Several attempts of a job count by their median. */
function totalOf(metric: ComparedMetric, jobs: readonly ComparedRun[]): number | null {
  let total = 0
  for (const attempts of Map.groupBy(jobs, ({ name }) => name).values()) {
    const values = known(metric, attempts)
    if (values.length === 0) return null
    total += median(values)
  }
  return total
}

/** A watched process counts too: how it ended is not known, but that it did is. */
const counts = ({ status, durationSeconds }: ComparedRun, includeFailed: boolean): boolean =>
  durationSeconds !== null &&
  (status === 'success' || status === 'unknown' || (includeFailed && status !== 'running'))

function compareSets(
  metric: ComparedMetric,
  a: readonly number[],
  b: readonly number[],
): MetricComparison {
  const test = rankSumTest(a, b) ?? null
  const enough = a.length >= 3 && b.length >= 3
  return conclude(metric, {
    countA: a.length,
    countB: b.length,
    a: a.length === 0 ? null : median(a),
    b: b.length === 0 ? null : median(b),
    interval: enough ? (medianRatioInterval(a, b) ?? null) : null,
    test,
  })
}

/** Several runs of a job count by their median. */
function pairs(
  metric: ComparedMetric,
  a: readonly ComparedRun[],
  b: readonly ComparedRun[],
  names: readonly string[],
): Pair[] {
  const valuesA = byName(metric, a)
  const valuesB = byName(metric, b)
  return names.flatMap((name) => {
    const ofA = valuesA.get(name)
    const ofB = valuesB.get(name)
    return ofA === undefined || ofB === undefined ? [] : [{ a: median(ofA), b: median(ofB) }]
  })
}

function byName(metric: ComparedMetric, runs: readonly ComparedRun[]): Map<string, number[]> {
  const values = new Map<string, number[]>()
  for (const run of runs) {
    const value = figureOf[metric](run)
    if (value === null) continue
    const list = values.get(run.name)
    if (list === undefined) values.set(run.name, [value])
    else list.push(value)
  }
  return values
}

function comparePairs(metric: ComparedMetric, found: readonly Pair[]): MetricComparison {
  const total = (side: 'a' | 'b'): number => found.reduce((sum, pair) => sum + pair[side], 0)
  // Ratios, not differences: a job of a second and one of an hour have the same say.
  const changes = found.map(({ a, b }) => (a === b ? 0 : Math.log(b / a)))
  return conclude(metric, {
    countA: found.length,
    countB: found.length,
    a: found.length === 0 ? null : total('a'),
    b: found.length === 0 ? null : total('b'),
    interval: found.length >= 3 ? (totalRatioInterval(found) ?? null) : null,
    test: signedRankTest(changes) ?? null,
  })
}

function conclude(
  metric: ComparedMetric,
  facts: Omit<MetricComparison, 'metric' | 'ratio' | 'difference'>,
): MetricComparison {
  const { a, b } = facts
  // Of nothing there is no share, and less than a thousandth of what any counter counts is nothing.
  const ratio = a === null || b === null || a < 1e-9 ? null : b / a
  return { metric, ...facts, ratio, difference: judge(facts, ratio) }
}

/** Both must say so: the ranks, and the interval of the ratio. */
function judge(
  { a, b, test, interval }: Pick<MetricComparison, 'a' | 'b' | 'test' | 'interval'>,
  ratio: number | null,
): Difference {
  if (a === null || b === null || test === null) return 'not-measured'
  if (test.leastPValue > significance) return 'cannot-judge'
  if (test.pValue > significance) return 'noise'
  if (ratio === null || interval === null) return b > a ? 'worse' : b < a ? 'better' : 'noise'
  if (interval.low > 1) return 'worse'
  return interval.high < 1 ? 'better' : 'noise'
}

function known(metric: ComparedMetric, runs: readonly ComparedRun[]): number[] {
  return runs.map(figureOf[metric]).filter((value) => value !== null)
}

export type Regression = 'regression' | 'none' | 'cannot-judge'

/** Whether a metric is worse by more than the share allowed, beyond noise. */
export function regressionOf(
  { metrics }: Comparison,
  metric: ComparedMetric,
  allowedShare: number,
): Regression {
  const found = metrics.find((one) => one.metric === metric)
  if (found === undefined || found.difference === 'not-measured') return 'cannot-judge'
  if (found.difference === 'cannot-judge') return 'cannot-judge'
  // From nothing to something is more than any share.
  const grown = found.ratio === null ? Infinity : found.ratio - 1
  return found.difference === 'worse' && grown > allowedShare ? 'regression' : 'none'
}
