import { describe, expect, it } from 'vitest'
import { poisson, usageOf } from '../../../../test/golden/render/crafted-records.ts'
import { MB, sampledSeries } from '../../../../test/synthetic/series.ts'
import { atLeast, measured } from '../../../model/measured.ts'
import type { JobRecord } from '../../../model/record.ts'
import { sampleIndex, type SampleRow } from '../../../model/sample.ts'
import { jobReport } from '../../../analysis/job/job-report.ts'
import { jobReportJson } from './json.ts'
import { endsRows } from './rows.ts'

const rows = sampledSeries({ seconds: 30 }, () => ({ cpuCores: 1, memoryBytes: 32 * MB }))
/** `rssBytes`: of all processes together, with what they share with others. */
const samplesLine = (
  memoryPeakBytes: number,
  rssBytes = 33 * MB,
  cpuPercentPeak = 100,
): string | undefined => {
  for (const row of rows) row[sampleIndex.rss_bytes] = rssBytes
  const usage = usageOf({ memoryPeakBytes, cpuPercentPeak })
  return lineOf({ ...poisson, durationSeconds: 30, usage }, rows)
}
const lineOf = (record: JobRecord, samples: readonly SampleRow[]): string | undefined =>
  endsRows(jobReportJson(jobReport(record, samples))).find(([label]) => label === 'Samples')?.[1]

describe('the samples of a report', () => {
  it('say which peak the timeline above them does not show', () => {
    expect(samplesLine(33 * MB)).toBe('37 samples')
    expect(samplesLine(278.4 * MB)).toBe(
      '37 samples; a memory peak of 278.4 MB was too brief for this timeline',
    )
  })

  it('say how high the CPU peak was where the timeline shows less', () => {
    expect(samplesLine(33 * MB, 33 * MB, 104)).toBe('37 samples')
    expect(samplesLine(33 * MB, 33 * MB, 390)).toBe(
      '37 samples; the CPU peak was 3.9 cores, between samples of this timeline',
    )
  })

  it('say it of looks that are seconds apart too', () => {
    const seldom = sampledSeries({ seconds: 13, intervalSeconds: 5 }, () => ({
      cpuCores: 0.4,
      memoryBytes: 32 * MB,
    }))
    const usage = usageOf({ memoryPeakBytes: 33 * MB, cpuPercentPeak: 100 })
    expect(lineOf({ ...poisson, durationSeconds: 13, usage }, seldom)).toMatch(
      /^\d+ samples; the CPU peak was 1\.0 cores, between samples of this timeline$/,
    )
  })

  it('say how high the CPU peak was where shorter steps were busier', () => {
    const burst = sampledSeries({ seconds: 3, intervalSeconds: 0.2 }, (second) => ({
      cpuCores: second < 0.4 ? 1 : 0,
      memoryBytes: 32 * MB,
    }))
    const usage = usageOf({ memoryPeakBytes: 33 * MB, cpuPercentPeak: 40 })
    expect(lineOf({ ...poisson, durationSeconds: 3, usage }, burst)).toMatch(
      /^\d+ samples; the CPU peak was 0\.4 cores: over a second or more, of which this timeline shows shorter parts$/,
    )
  })

  it('say that a peak which they missed is a lower bound', () => {
    const usage = {
      ...usageOf({ cpuPercentPeak: 100 }),
      memoryPeakBytes: atLeast(278.4 * MB, 'looks'),
    }
    expect(lineOf({ ...poisson, durationSeconds: 30, usage }, rows)).toContain(
      'memory peak of at least 278.4 MB',
    )
  })

  it('call no peak brief that may have been counted in another way', () => {
    expect(samplesLine(278.4 * MB, 300 * MB)).toBe(
      '37 samples; the memory peak of 278.4 MB is above this timeline: it was brief, or counts memory shared with other programs, which the timeline leaves out',
    )
  })
})

describe('the ends of a report', () => {
  const withTail = sampledSeries({ seconds: 30 }, (second) => ({
    cpuCores: second < 15 ? 1 : 0,
    memoryBytes: 32 * MB,
  }))
  const tailOf = (gpuBusySeconds: number): string | undefined => {
    const usage = {
      ...usageOf({ memoryPeakBytes: 33 * MB }),
      gpuCards: measured(1, 'NVML'),
      gpuBusySeconds: measured(gpuBusySeconds, 'NVML'),
    }
    const report = jobReport({ ...poisson, durationSeconds: 30, usage }, withTail)
    return endsRows(jobReportJson(report)).find(([label]) => label === 'Idle tail')?.[1]
  }

  it('say of a job whose GPU worked that its cores were idle, and no more', () => {
    expect(tailOf(25)).toMatch(/^1[45]\.\d s in which its cores were idle$/)
    expect(tailOf(0)).toMatch(/^1[45]\.\d s$/)
  })
})
