import { unmeasured, type Measured } from '../model/measured.ts'
import { notAskedFor } from '../model/metrics.ts'
import { usageKeys, type Usage } from '../model/usage.ts'
import type { FollowedEnd, FollowedGauge, Gauge } from './gauges/gauge.ts'

const notGauged = unmeasured(notAskedFor)

/**
 * Only some jobs have figures of GPUs: without this one, nobody could tell a job that was over too soon for them from one
 * whose GPUs nobody asked for.
 */
export const unaskedFigures = (gauges: readonly Gauge[]): Readonly<Record<string, Measured>> =>
  gauges.some(({ name }) => name === 'gpu') ? {} : { gpuUtilizationPercentMean: notGauged }

/**
 * What a job used, each figure with its basis or with the reason why there is none. `told` is what the kernel told
 * at the end of the job, whether or not a gauge asked for it; `unasked` are figures that no gauge was there for.
 */
export function gatherUsage(
  gauges: readonly FollowedGauge[],
  end: FollowedEnd,
  told: Readonly<Record<string, Measured>> = {},
  unasked: Readonly<Record<string, Measured>> = {},
): Usage {
  const usage: Record<string, Measured> = { ...unasked }
  for (const gauge of gauges) {
    const figures = gauge.figures(end)
    for (const key in figures) usage[key] = figures[key] ?? notGauged
  }
  for (const key of usageKeys) usage[key] ??= told[key] ?? notGauged
  return usage as Usage
}
