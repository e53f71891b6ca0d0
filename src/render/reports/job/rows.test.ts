import { describe, expect, it } from 'vitest'
import { poisson, usageOf } from '../../../../test/golden/render/crafted-records.ts'
import { MB, sampledSeries } from '../../../../test/synthetic/series.ts'
import { sampleIndex } from '../../../model/sample.ts'
import { jobReport } from '../../../analysis/job/job-report.ts'
import { jobReportJson } from './json.ts'
import { endsRows } from './rows.ts'

const rows = sampledSeries({ seconds: 30 }, () => ({ cpuCores: 1, memoryBytes: 32 * MB }))
/** `rssBytes`: of all processes together, with what they share with others. */
const samplesLine = (memoryPeakBytes: number, rssBytes = 33 * MB): string | undefined => {
  for (const row of rows) row[sampleIndex.rss_bytes] = rssBytes
  const record = { ...poisson, durationSeconds: 30, usage: usageOf({ memoryPeakBytes }) }
  return endsRows(jobReportJson(jobReport(record, rows))).find(
    ([label]) => label === 'Samples',
  )?.[1]
}

describe('the samples of a report', () => {
  it('say which peak the timeline above them does not show', () => {
    expect(samplesLine(33 * MB)).toBe('37 samples')
    expect(samplesLine(278.4 * MB)).toBe(
      '37 samples; a memory peak of 278.4 MB was too brief for this timeline',
    )
  })

  it('call no peak brief that may have been counted in another way', () => {
    expect(samplesLine(278.4 * MB, 300 * MB)).toBe(
      '37 samples; the memory peak of 278.4 MB is above this timeline: it was brief, or counts memory shared with other programs, which the timeline leaves out',
    )
  })
})
