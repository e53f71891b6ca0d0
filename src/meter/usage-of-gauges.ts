import { unmeasured, type Measured } from '../model/measured.ts'
import { usageKeys, type Usage } from '../model/usage.ts'
import type { FollowedEnd, FollowedGauge } from './gauges/gauge.ts'

const notGauged = unmeasured('no gauge measured it')

/** What a job used, each figure with its basis or with the reason why there is none. */
export function gatherUsage(gauges: readonly FollowedGauge[], end: FollowedEnd): Usage {
  const usage: Record<string, Measured> = {}
  for (const gauge of gauges) Object.assign(usage, gauge.figures(end))
  for (const key of usageKeys) usage[key] ??= notGauged
  return usage as Usage
}
