import type { Curve } from './decimate.ts'
import type { EvenSeries } from './even-series.ts'
import type { AttemptCurves } from './job-curves.ts'
import { memoryTrend } from './leak.ts'
import { fewestPhaseSteps, findPhases, type Phase } from './phases.ts'

const mostSteps = 150

/** The phases of an attempt by its thinned curves, in seconds since 1970; none where there is but one. */
export function curvePhases({ startedAt, endedAt, metrics }: AttemptCurves): Phase[] {
  const { cpuPercent, memoryBytes, readBytesPerSecond, writeBytesPerSecond } = metrics
  const length = Math.min(mostSteps, Math.max(cpuPercent.times.length, memoryBytes.times.length))
  if (length < fewestPhaseSteps || !(endedAt > startedAt)) return []
  const stepSeconds = (endedAt - startedAt) / length
  const grid = { fromSeconds: startedAt, stepSeconds, length }
  const series: EvenSeries = {
    ...grid,
    cpuCores: stepMeans(cpuPercent, grid)?.map((percent) => percent / 100) ?? null,
    memoryBytes: stepMeans(memoryBytes, grid),
    readBytesPerSecond: stepMeans(readBytesPerSecond, grid),
    writeBytesPerSecond: stepMeans(writeBytesPerSecond, grid),
  }
  const { phases } = findPhases(series, memoryTrend(series))
  return phases.length < 2 ? [] : [...phases]
}

/** Means of the points in each step; a step without any goes on as the one before it. */
function stepMeans(
  { times, values }: Curve,
  { fromSeconds, stepSeconds, length }: Pick<EvenSeries, 'fromSeconds' | 'stepSeconds' | 'length'>,
): Float64Array | null {
  if (times.length < 2) return null
  const sums = new Float64Array(length)
  const counts = new Float64Array(length)
  times.forEach((time, index) => {
    const step = Math.min(length - 1, Math.floor((time - fromSeconds) / stepSeconds))
    sums[step] = (sums[step] ?? 0) + (values[index] ?? 0)
    counts[step] = (counts[step] ?? 0) + 1
  })
  let last = values[0] ?? 0
  return sums.map((sum, step) => {
    const points = counts[step] ?? 0
    if (points > 0) last = sum / points
    return last
  })
}
