import { isLowerBound as isBound } from '../../model/measured.ts'
import type { SampleRow } from '../../model/sample.ts'
import type { Usage } from '../../model/usage.ts'
import { likeness } from '../policy.ts'
import type { EvenSeries } from '../series/even-series.ts'
import type { Phase } from '../series/phases.ts'
import { sampleValue } from '../series/sample-value.ts'
import { maximum } from '../statistics/statistics.ts'

/**
 * Why the memory peak of a job is higher than its timeline. `brief`: it came and went between two samples, at which all
 * processes together had less in memory. `brief-or-shared`: they had as much, so that the peak may as well count pages
 * that are shared with others in full, which the timeline does not.
 */
export type MissingPeak = 'brief' | 'brief-or-shared'

/** null where the timeline shows it. */
export function missingPeak(
  peakBytes: number | null,
  phases: readonly Phase[],
  rows: readonly SampleRow[],
): MissingPeak | null {
  const shownBytes = Math.max(...phases.map(({ memoryPeakBytes }) => memoryPeakBytes ?? 0))
  if (!(shownBytes > 0) || peakBytes === null || peakBytes < likeness.peakOfTimeline * shownBytes)
    return null
  const residentBytes = rows.reduce(
    (most, row) => Math.max(most, sampleValue(row, 'rss_bytes') ?? 0),
    0,
  )
  return residentBytes < peakBytes ? 'brief' : 'brief-or-shared'
}

/** The CPU peak of a job, as its record has it, beside its timeline. */
export interface CpuPeak {
  /** Over a second or more, or over a whole job that was shorter. */
  readonly cores: number | null
  readonly isLowerBound: boolean
  /**
   * What the highest point of the timeline is to it; null where they are alike. `less`: it came between two samples, over which
   * the timeline is level. `more`: a step of the timeline is shorter than a second, and was busier.
   */
  readonly timelineShows: 'less' | 'more' | null
}

/** Fewer cores apart than this nobody would notice. */
const noticedCores = 0.05

export function cpuPeak({ cpuPercentPeak }: Usage, series: EvenSeries | null): CpuPeak {
  const cores = cpuPercentPeak.value === null ? null : cpuPercentPeak.value / 100
  const shown = maximum(series?.cpuCores ?? [])
  const isLowerBound = isBound(cpuPercentPeak)
  return { cores, isLowerBound, timelineShows: comparedTo(cores, shown) }
}

function comparedTo(cores: number | null, shown: number | undefined): CpuPeak['timelineShows'] {
  if (cores === null || shown === undefined) return null
  const [less, more] = [Math.min(cores, shown), Math.max(cores, shown)]
  if (more - less < noticedCores || more < likeness.peakOfTimeline * less) return null
  return shown < cores ? 'less' : 'more'
}
