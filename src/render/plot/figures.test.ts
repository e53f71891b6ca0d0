import { describe, expect, it } from 'vitest'
import { CurveCollector } from '../../analysis/job-curves.ts'
import { jobFigure } from './job-figure.ts'
import { overviewFigure, overviewNote } from './overview-figure.ts'
import type { PlotJob } from './plot-job.ts'
import { summaryFigure, summaryNote } from './summary-figure.ts'

function plotJob(jobId: number, differences: Partial<PlotJob> = {}): PlotJob {
  const collector = new CurveCollector(500)
  for (const attempt of [1, 2])
    for (let second = 0; second < 10; second++)
      collector.add({
        jobId,
        attempt,
        timestamp: 1000 + attempt * 100 + second,
        cpuPercent: jobId * 10 + second,
        memoryBytes: jobId * 2 ** 30,
        processes: attempt,
        readBytes: Number.NaN,
        writeBytes: Number.NaN,
      })
  return {
    jobId,
    name: `job ${jobId}`,
    requestedCpus: 2,
    requestedMemoryBytes: 8 * 2 ** 30,
    requestedRuntimeSeconds: 5,
    attempts: collector
      .curves(jobId)
      .map((curves) => ({ label: `attempt ${curves.attempt}`, curves, phases: [] })),
    ...differences,
  }
}

describe('jobFigure', () => {
  it('has a strip for what was recorded, each attempt by itself, and the requests', () => {
    const { data, layout } = jobFigure(plotJob(3))
    expect(data.map((trace) => ('name' in trace ? trace.name : ''))).toEqual([
      'CPU, attempt 1',
      'CPU, attempt 2',
      'CPU requested: 200 %',
      'Memory, attempt 1',
      'Memory, attempt 2',
      'Memory requested: 8.00 GB',
      'Processes, attempt 1',
      'Processes, attempt 2',
    ])
    expect(data[5]).toMatchObject({ y: [8, 8], yaxis: 'y2', line: { dash: 'dash' } })
    // Where the second attempt began, and where each was over its requested runtime.
    expect(layout).toMatchObject({
      shapes: [{ x0: 1_105_000 }, { x0: 1_200_000 }, { x0: 1_205_000 }],
    })
  })

  it('shows a requested runtime that was not used up, near or far', () => {
    const near = jobFigure(plotJob(1, { requestedRuntimeSeconds: 60 }))
    expect(near.layout).toMatchObject({ shapes: [{ x0: 1_200_000 }, { x0: 1_260_000 }] })
    const far = jobFigure(plotJob(1, { requestedRuntimeSeconds: 86_400 }))
    expect(far.layout).toMatchObject({
      shapes: [{ x0: 1_200_000 }],
      annotations: [{ text: 'requested runtime 1d 0h 0m →', x: 1_209_000, xanchor: 'right' }],
    })
  })

  it('draws no request where none was made, and shades phases', () => {
    const job = plotJob(1, {
      requestedCpus: null,
      requestedMemoryBytes: null,
      requestedRuntimeSeconds: null,
    })
    const attempts = job.attempts
      .slice(0, 1)
      .map((attempt) => ({ ...attempt, phases: [{ startedAt: 1, endedAt: 9, label: 'idle' }] }))
    const { data, layout } = jobFigure({ ...job, attempts })
    expect(data).toHaveLength(3)
    expect(layout).toMatchObject({
      shapes: [{ type: 'rect', x0: 1000, x1: 9000 }],
      annotations: [{ text: 'idle' }],
    })
  })
})

describe('overviewFigure', () => {
  it('shows all lines of a few jobs', () => {
    const jobs = [plotJob(1), plotJob(2)]
    const { data } = overviewFigure(jobs, 'cpuPercent')
    expect(data.map((trace) => ('name' in trace ? trace.name : ''))).toEqual([
      'job 2, attempt 1',
      'job 2, attempt 2',
      'job 1, attempt 1',
      'job 1, attempt 2',
    ])
  })

  it('shows the highest of many, keeps the rest in the legend and the peak of all', () => {
    const jobs = Array.from({ length: 1000 }, (_, index) => plotJob(index + 1))
    const { data } = overviewFigure(jobs, 'memoryBytes')
    expect(data).toHaveLength(2001)
    expect(data.filter((trace) => 'visible' in trace)).toHaveLength(1980)
    expect(data[0]).toMatchObject({ name: 'highest of all 2,000' })
    const [envelope] = data
    if (envelope === undefined || !('y' in envelope)) throw new Error('no envelope')
    expect(Math.max(...(envelope.y as number[]))).toBe(1000)
    expect(overviewNote(jobs, 'memoryBytes')).toContain('20 highest peaks of 2,000')
  })

  it('takes no name for markup', () => {
    const { data } = overviewFigure([plotJob(1, { name: '<a href="x">&%{y}' })], 'cpuPercent')
    expect(data[0]).toMatchObject({ name: '&lt;a href="x"&gt;&amp;%{y}, attempt 1' })
    expect(JSON.stringify(data[0])).not.toContain('<a')
  })
})

describe('summaryFigure', () => {
  it('sets peak, mean and request of each job side by side, the largest first', () => {
    const { data } = summaryFigure([plotJob(1), plotJob(2)])
    const [peaks, means, requests] = data
    expect(peaks).toMatchObject({ name: 'Memory, peak', y: [2, 1] })
    expect(means).toMatchObject({ name: 'Memory, mean', y: [2, 1] })
    expect(requests).toMatchObject({ name: 'Memory, requested', y: [8, 8] })
    expect(data[3]).toMatchObject({ name: 'CPU, peak', y: [29, 19] })
  })

  it('leaves out what was not measured or asked for', () => {
    const job = plotJob(1, { requestedCpus: null, attempts: [] })
    expect(summaryFigure([job]).data[5]).toMatchObject({ y: [null] })
    expect(summaryFigure([job]).data[3]).toMatchObject({ y: [null] })
    expect(summaryNote([job])).toMatch(/^Wide bars/)
  })
})
