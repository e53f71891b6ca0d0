import { rankSumTest } from '../statistics/rank-test.ts'

export interface OneSided {
  /** How likely figures so much higher are if nothing but chance divides the two. */
  readonly higher: number
  readonly lower: number
  /** The least that so many runs could give. */
  readonly least: number
}

/**
 * Mann and Whitney's rank test, one direction at a time. It counts every division of up to 50 ranks, so that its rate of false
 * alarms holds whatever the distribution, heavy tails and ties included, and with the few runs that benchmarks have.
 */
export function oneSidedTest(a: readonly number[], b: readonly number[]): OneSided | undefined {
  const test = rankSumTest(a, b)
  if (test === undefined) return undefined
  const half = test.pValue / 2
  const lead = leadOf(a, b)
  return {
    higher: lead > 0 ? half : 1 - half,
    lower: lead < 0 ? half : 1 - half,
    least: test.leastPValue / 2,
  }
}

/** In how many more pairs b is above a than below it. */
function leadOf(a: readonly number[], b: readonly number[]): number {
  let lead = 0
  for (const left of a) for (const right of b) lead += Math.sign(right - left)
  return lead
}
