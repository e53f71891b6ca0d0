import type { Interval } from '../statistics/bootstrap.ts'
import { median } from '../statistics/median.ts'
import type { ScalingRun } from './scaling-runs.ts'
import { studentQuantile } from '../statistics/student.ts'

/** How a job scales, by what it did on different numbers of workers. */
export interface Scaling {
  /** By number of workers, fewest first. */
  readonly points: readonly ScalingPoint[]
  /** Null with fewer than two different numbers of workers, or times too wild for any law. */
  readonly law: AmdahlFit | null
}

export interface ScalingPoint {
  readonly workers: number
  readonly runs: number
  /** The median of its runs. */
  readonly seconds: number
  /** Against the fewest workers. */
  readonly speedUp: number
  /** Speed-up ÷ how many times more workers there are. */
  readonly efficiency: number
  /**
   * Karp and Flatt's: what its speed-up alone says of the serial part of the time of one worker; null for the fewest
   * workers, and where more took so much longer that one would have taken no time.
   */
  readonly serialFraction: number | null
}

/** Amdahl's law, T(p) = T₁ (s + (1 − s) / p), by least squares of relative errors. */
export interface AmdahlFit {
  readonly oneWorkerSeconds: number
  readonly serialFraction: number
  /** In which the serial fraction lies in 95 of 100 cases; null where the fit has nothing left to err. */
  readonly interval: Interval | null
  /** How far the law is off a run at worst, as a share of the time. */
  readonly worstError: number
  /** The same for medians; null below three numbers of workers, which any law fits but for the spread of repeats. */
  readonly medianError: number | null
  /** How far a run is off the median of its repeats at worst, as a share of it; null where none was repeated. */
  readonly repeatSpread: number | null
  /** The most workers that are still used at least by half; null where that has no end. */
  readonly worthwhileWorkers: number | null
  /** The same at both ends of the interval; a null high has no end. */
  readonly worthwhileInterval: { readonly low: number | null; readonly high: number | null } | null
}

export function scaling(runs: readonly ScalingRun[]): Scaling {
  const groups = [...Map.groupBy(runs, ({ workers }) => workers)].toSorted(([a], [b]) => a - b)
  const [fewest] = groups
  if (fewest === undefined) return { points: [], law: null }
  const base = { workers: fewest[0], seconds: medianSeconds(fewest[1]) }
  const points = groups.map(([workers, group]): ScalingPoint => {
    const seconds = medianSeconds(group)
    const times = workers / base.workers
    const speedUp = base.seconds / seconds
    return {
      workers,
      runs: group.length,
      seconds,
      speedUp,
      efficiency: speedUp / times,
      serialFraction: times > 1 ? serialPart(speedUp, times, base.workers) : null,
    }
  })
  const solution = points.length < 2 ? undefined : leastSquares(runs)
  if (solution === undefined) return { points, law: null }
  return { points, law: { ...fitAmdahl(runs, solution), ...misfit(runs, points, solution) } }
}

/** Of the time of one worker: against the fewest workers it would be more the more they are. */
function serialPart(speedUp: number, times: number, fewest: number): number | null {
  const ofFewest = (1 / speedUp - 1 / times) / (1 - 1 / times)
  const oneWorker = ofFewest + (1 - ofFewest) * fewest
  return oneWorker > 0 ? ofFewest / oneWorker : null
}

function misfit(
  runs: readonly ScalingRun[],
  points: readonly ScalingPoint[],
  { a, b }: Solution,
): Pick<AmdahlFit, 'medianError' | 'repeatSpread'> {
  const medians = new Map(points.map(({ workers, seconds }) => [workers, seconds]))
  const spreads = runs.map(({ workers, seconds }) => {
    const middle = medians.get(workers) ?? seconds
    return Math.abs(seconds - middle) / middle
  })
  const errors = points.map(({ workers, seconds }) => Math.abs(a + b / workers - seconds) / seconds)
  return {
    medianError: points.length < 3 ? null : Math.max(...errors),
    repeatSpread: runs.length > points.length ? Math.max(...spreads) : null,
  }
}

const medianSeconds = (runs: readonly ScalingRun[]): number =>
  median(runs.map(({ seconds }) => seconds))

/**
 * T = a + b / p with a, b ≥ 0, weighed by 1 / T²: runs that take long err by more seconds. The serial fraction is
 * a / (a + b); its error follows from those of a and b, with Student's quantile for few runs.
 */
function fitAmdahl(
  runs: readonly ScalingRun[],
  { a, b, inverse }: Solution,
): Omit<AmdahlFit, 'medianError' | 'repeatSpread'> {
  const oneWorkerSeconds = a + b
  const serialFraction = a / oneWorkerSeconds
  const errors = runs.map(({ workers, seconds }) => (a + b / workers - seconds) / seconds)
  const free = runs.length - 2
  const variance = errors.reduce((sum, error) => sum + error * error, 0) / free
  const towardsA = b / oneWorkerSeconds ** 2
  const towardsB = -a / oneWorkerSeconds ** 2
  const spread =
    towardsA ** 2 * inverse.aa + 2 * towardsA * towardsB * inverse.ab + towardsB ** 2 * inverse.bb
  const reach = free < 1 ? null : studentQuantile(free) * Math.sqrt(Math.max(0, variance * spread))
  const interval =
    reach === null
      ? null
      : { low: Math.max(0, serialFraction - reach), high: Math.min(1, serialFraction + reach) }
  return {
    oneWorkerSeconds,
    serialFraction,
    interval,
    worstError: Math.max(...errors.map(Math.abs)),
    worthwhileWorkers: worthwhile(serialFraction),
    worthwhileInterval:
      interval === null ? null : { low: worthwhile(interval.high), high: worthwhile(interval.low) },
  }
}

/** Efficiency 1 / (1 + s (p − 1)) is a half at p = 1 + 1 / s. */
function worthwhile(serialFraction: number): number | null {
  const workers = Math.floor(1 + 1 / serialFraction + 1e-9)
  // Nobody can tell a serial part of a ten-thousandth from none.
  return serialFraction < 1e-4 ? null : workers
}

interface Solution {
  readonly a: number
  readonly b: number
  /** Of the normal equations: times the variance, the errors of a and b. */
  readonly inverse: { readonly aa: number; readonly ab: number; readonly bb: number }
}

function leastSquares(runs: readonly ScalingRun[]): Solution | undefined {
  let [ww, wx, xx, wy, xy] = [0, 0, 0, 0, 0]
  for (const { workers, seconds } of runs) {
    const w = 1 / seconds
    const x = w / workers
    ww += w * w
    wx += w * x
    xx += x * x
    wy += w
    xy += x
  }
  const determinant = ww * xx - wx * wx
  // Times that are millions apart leave no digits to solve with, and no law to find.
  if (!(determinant > 1e-12 * ww * xx)) return undefined
  const inverse = { aa: xx / determinant, ab: -wx / determinant, bb: ww / determinant }
  const a = inverse.aa * wy + inverse.ab * xy
  const b = inverse.ab * wy + inverse.bb * xy
  // More workers than one can be better than even, or worse than none: the law knows neither.
  if (a < 0) return { a: 0, b: xy / xx, inverse }
  if (b < 0) return { a: wy / ww, b: 0, inverse }
  return { a, b, inverse }
}
