import type { SampleRow } from '../../model/sample.ts'
import { likeness } from '../policy.ts'
import type { Phase } from '../series/phases.ts'
import { sampleValue } from '../series/sample-value.ts'

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
