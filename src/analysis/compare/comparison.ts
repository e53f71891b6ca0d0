import { isOpen } from '../../model/outcome.ts'
import type { Pair } from '../statistics/bootstrap.ts'
import { median } from '../statistics/median.ts'
import {
  comparedMetrics,
  comparedFigure,
  isLeastOf,
  knownFigures,
  type ComparedMetric,
  type ComparedRun,
} from './compared-run.ts'
import { comparePairs, compareSets, type MetricComparison } from './metric-comparison.ts'
import { wholeRuns } from './whole-runs.ts'

export interface Comparison {
  /** `jobs`: each side has several commands, and each is compared with its namesake. */
  readonly by: 'runs' | 'jobs'
  /** Of how many jobs the figures of a run of a workflow are the total; null where a run is one job. */
  readonly jobs: number | null
  /** Those that were compared. */
  readonly runsA: number
  readonly runsB: number
  /** Runs that did not succeed: their figures say nothing of a whole run. */
  readonly leftOutA: number
  readonly leftOutB: number
  /** Runs of a workflow that lack some of the jobs: their totals would say nothing. */
  readonly partialA: number
  readonly partialB: number
  /** Jobs of one side without a namesake on the other, which are not compared; none where no job has one. */
  readonly unpaired: readonly string[]
  readonly metrics: readonly BoundedComparison[]
}

/** Of a side on which some figure may have been higher than is known, A or B is a lower bound. */
interface BoundedComparison extends MetricComparison {
  readonly isLeastA: boolean
  readonly isLeastB: boolean
}

export function compareRuns(
  setA: readonly ComparedRun[],
  setB: readonly ComparedRun[],
  includeFailed = false,
): Comparison {
  const a = setA.filter((run) => counts(run, includeFailed))
  const b = setB.filter((run) => counts(run, includeFailed))
  const { comparedA, comparedB, metrics, ...comparison } = compareCounted(a, b)
  return {
    ...comparison,
    leftOutA: setA.length - a.length,
    leftOutB: setB.length - b.length,
    metrics: metrics.map((one) => ({
      ...one,
      isLeastA: isLeastOf(one.metric, comparedA),
      isLeastB: isLeastOf(one.metric, comparedB),
    })),
  }
}

type Counted = Omit<Comparison, 'leftOutA' | 'leftOutB' | 'metrics'> & {
  /** Those of the runs, and of their jobs, that the figures are of. */
  readonly comparedA: readonly ComparedRun[]
  readonly comparedB: readonly ComparedRun[]
  readonly metrics: readonly MetricComparison[]
}

function compareCounted(a: readonly ComparedRun[], b: readonly ComparedRun[]): Counted {
  const namesA = new Set(a.map(({ name }) => name))
  const namesB = new Set(b.map(({ name }) => name))
  const shared = [...namesA].filter((name) => namesB.has(name))
  // Sides without a job in common are compared as they are: the same work may have two names.
  const isCompared = (name: string): boolean =>
    shared.length === 0 || (namesA.has(name) && namesB.has(name))
  const unpaired = [...namesA, ...namesB].filter((name) => !isCompared(name))
  if ([...a, ...b].some(({ workflowRun }) => workflowRun !== undefined))
    return { ...compareWhole(a, b, shared), unpaired }
  const byJobs = shared.length > 1
  const comparedA = a.filter(({ name }) => isCompared(name))
  const comparedB = b.filter(({ name }) => isCompared(name))
  return {
    by: byJobs ? 'jobs' : 'runs',
    jobs: null,
    runsA: comparedA.length,
    runsB: comparedB.length,
    partialA: 0,
    partialB: 0,
    unpaired,
    comparedA,
    comparedB,
    metrics: comparedMetrics.map((metric) =>
      byJobs
        ? comparePairs(metric, pairs(metric, comparedA, comparedB, shared))
        : compareSets(metric, knownFigures(metric, comparedA), knownFigures(metric, comparedB)),
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
): Omit<Counted, 'unpaired'> {
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
    comparedA: whole.a.flat(),
    comparedB: whole.b.flat(),
    metrics: comparedMetrics.map((metric) =>
      compareSets(metric, totals(metric, whole.a), totals(metric, whole.b)),
    ),
  }
}

/** Null where it was not measured of every job. Several attempts of a job count by their median. */
function totalOf(metric: ComparedMetric, jobs: readonly ComparedRun[]): number | null {
  let total = 0
  for (const attempts of Map.groupBy(jobs, ({ name }) => name).values()) {
    const values = knownFigures(metric, attempts)
    if (values.length === 0) return null
    total += median(values)
  }
  return total
}

/** A watched process counts too: how it ended is not known, but that it did is. */
const counts = ({ status, durationSeconds }: ComparedRun, includeFailed: boolean): boolean =>
  durationSeconds !== null &&
  (status === 'success' || status === 'unknown' || (includeFailed && !isOpen(status)))

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
    const value = comparedFigure[metric](run)
    if (value === null) continue
    const list = values.get(run.name)
    if (list === undefined) values.set(run.name, [value])
    else list.push(value)
  }
  return values
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
