import type { Condition, ThresholdCondition, UnusualCondition } from '../rule.ts'
import type { Verdict } from './dwell.ts'
import { RecentlyUsual, type Usual } from './usual.ts'

/** Says of a known value whether it is wrong. */
export interface Judge {
  /** undefined while nothing is known to compare it with. */
  verdictOn(value: number, at: number): Verdict | undefined
  /** What the last value was compared with, where that is not a threshold. */
  usual(): Usual | undefined
}

/** An alert resolves this much nearer to what is usual than it fires. */
const clearShare = 0.75

/** `pastUsual`: what past runs were like, for rules that compare with them. */
export function judgeOf(condition: Condition, pastUsual: () => Usual | undefined): Judge {
  if (condition.kind !== 'unusual')
    return { verdictOn: (value) => byThreshold(condition, value), usual: () => undefined }
  if (condition.from.kind === 'past runs')
    return { verdictOn: (value) => byUsual(condition, pastUsual(), value), usual: pastUsual }
  const recently = new RecentlyUsual(condition.from.seconds)
  let usual: Usual | undefined
  return {
    verdictOn(value, at) {
      usual = recently.at(at)
      const verdict = byUsual(condition, usual, value)
      if (verdict === undefined || verdict === 'well') recently.learn(value, at)
      return verdict
    },
    usual: () => usual,
  }
}

function byThreshold({ kind, threshold, clear }: ThresholdCondition, value: number): Verdict {
  const sign = kind === 'above' ? 1 : -1
  if (sign * value > sign * threshold) return 'wrong'
  return sign * value <= sign * clear ? 'well' : 'between'
}

function byUsual(
  { direction, deviations }: UnusualCondition,
  usual: Usual | undefined,
  value: number,
): Verdict | undefined {
  if (usual === undefined) return undefined
  const away = (value - usual.median) / usual.spread
  const distance = direction === 'either' ? Math.abs(away) : direction === 'above' ? away : -away
  if (distance > deviations) return 'wrong'
  return distance <= deviations * clearShare ? 'well' : 'between'
}
