import { holmAdjusted } from '../statistics/holm.ts'
import { oneSidedTest } from './one-sided.ts'

/**
 * How often a comparison may call at least one cell worse though nothing changed: in 5 of 100 cases. The same holds for
 * `better`, by itself.
 */
export const falseAlarmRate = 0.05

export type Change =
  /** More than noise, in at least 95 of 100 cases. */
  | 'worse'
  | 'better'
  /** No more than noise. */
  | 'noise'
  /** With so few runs, no outcome could be told from noise. */
  | 'cannot-judge'

/** Two sets of figures of which less is better. */
export interface Sides {
  readonly a: readonly number[]
  readonly b: readonly number[]
}

export interface Judgement {
  readonly change: Change
  /** After the correction for the number of cells; null where there is nothing to compare. */
  readonly pWorse: number | null
  readonly pBetter: number | null
}

/**
 * Judges all cells of a comparison together. Growth by up to `allowedShare` is no regression: b is compared with a
 * grown by as much, so that the rate of false alarms also holds for a true growth of just that share.
 */
export function judge(cells: readonly Sides[], allowedShare = 0): Judgement[] {
  const worse = cells.map(({ a, b }) =>
    oneSidedTest(
      a.map((value) => value * (1 + allowedShare)),
      b,
    ),
  )
  const better = allowedShare === 0 ? worse : cells.map(({ a, b }) => oneSidedTest(a, b))
  // Cells without a test take no part, and do not make the others harder to judge.
  const pWorse = adjustedAmong(worse.map((test) => test?.higher ?? null))
  const pBetter = adjustedAmong(better.map((test) => test?.lower ?? null))
  const tested = worse.filter((test) => test !== undefined).length
  return cells.map((_, index) => {
    const [up = null, down = null] = [pWorse[index], pBetter[index]]
    const canJudge = (worse[index]?.least ?? Infinity) * tested <= falseAlarmRate
    return { change: changeOf(up, down, canJudge), pWorse: up, pBetter: down }
  })
}

function changeOf(pWorse: number | null, pBetter: number | null, canJudge: boolean): Change {
  if (pWorse !== null && pWorse <= falseAlarmRate) return 'worse'
  if (pBetter !== null && pBetter <= falseAlarmRate) return 'better'
  return canJudge ? 'noise' : 'cannot-judge'
}

function adjustedAmong(pValues: readonly (number | null)[]): (number | null)[] {
  const known = pValues.flatMap((p, index) => (p === null ? [] : [{ p, index }]))
  const adjusted = holmAdjusted(known.map(({ p }) => p))
  const all: (number | null)[] = pValues.map(() => null)
  known.forEach(({ index }, rank) => (all[index] = adjusted[rank] ?? null))
  return all
}
