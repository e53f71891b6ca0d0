import { unmeasured, type Measured } from '../model/measured.ts'
import { notAskedFor } from '../model/metrics.ts'
import { usageKeys, type Usage } from '../model/usage.ts'
import type { FollowedEnd, FollowedGauge } from './gauges/gauge.ts'

const notGauged = unmeasured(notAskedFor)

/**
 * What a job used, each figure with its basis or with the reason why there is none. `told` is what the kernel told
 * at the end of the job, whether or not a gauge asked for it.
 */
export function gatherUsage(
  gauges: readonly FollowedGauge[],
  end: FollowedEnd,
  told: Readonly<Record<string, Measured>> = {},
): Usage {
  const usage: Record<string, Measured> = {}
  for (const gauge of gauges) {
    const figures = gauge.figures(end)
    for (const key in figures) usage[key] = figures[key] ?? notGauged
  }
  for (const key of usageKeys) usage[key] ??= told[key] ?? notGauged
  return usage as Usage
}
