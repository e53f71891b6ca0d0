import { describe, expect, it } from 'vitest'
import { CurveCollector } from '../../analysis/series/curve-collector.ts'
import { atLeast, measured } from '../../model/measured.ts'
import { emptyUsage } from '../../model/usage.ts'
import { jobFigure } from './job-figure.ts'
import { overviewFigure, overviewNote } from './overview-figure.ts'
import { onClock, plotClock } from './plot-clock.ts'
import { attemptFacts } from './plot-figures.ts'
import type { PlotJob } from '../../analysis/series/plot-job.ts'
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
    attempts: collector.curves(jobId).map((curves) => ({
      label: `attempt ${curves.attempt}`,
      curves,
      record: null,
      phases: [],
      gpus: [],
    })),
    ...differences,
  }
}

/** A job that used so many bytes of memory throughout. */
function jobWithMemory(bytes: number): PlotJob {
  const collector = new CurveCollector(500)
  const others = { processes: 1, readBytes: Number.NaN, writeBytes: Number.NaN }
  for (const timestamp of [1000, 1001, 1002])
    collector.add({ jobId: 1, attempt: 1, timestamp, cpuPercent: 1, memoryBytes: bytes, ...others })
  const job = plotJob(1, { requestedMemoryBytes: null })
  const facts = { label: 'attempt 1', record: null, phases: [], gpus: [] }
  return { ...job, attempts: collector.curves(1).map((curves) => ({ curves, ...facts })) }
}

describe('the unit of memory', () => {
  const titles = (job: PlotJob): unknown[] => [
    overviewFigure([job], 'memoryBytes', 'Time').layout['yaxis']?.title?.text,
    summaryFigure([job]).layout['yaxis']?.title?.text,
    jobFigure(job, 'Time').layout['yaxis2']?.title?.text,
  ]
  it.each([
    [3 * 2 ** 30, 'GB', 3],
    [1.6 * 2 ** 20, 'MB', 1.6],
    [600 * 2 ** 10, 'KB', 600],
  ])('of %d bytes is %s', (bytes, unit, drawn) => {
    const job = jobWithMemory(bytes)
    expect(titles(job)).toEqual(Array(3).fill(`Memory (${unit})`))
    const [line] = overviewFigure([job], 'memoryBytes', 'Time').data
    expect(line?.y).toEqual([drawn, drawn, drawn])
  })

  it('is that of the request where that is more', () => {
    const job = { ...jobWithMemory(600 * 2 ** 10), requestedMemoryBytes: 100 * 2 ** 20 }
    expect(titles(job).slice(1)).toEqual(Array(2).fill('Memory (MB)'))
    const request = jobFigure(job, 'Time').data.find(({ name }) =>
      name.includes('Memory requested'),
    )
    expect(request?.y).toEqual([100, 100])
  })
})

describe('long names', () => {
  const ticks = (names: readonly string[]): unknown =>
    summaryFigure(names.map((name, index) => plotJob(index + 1, { name }))).layout.xaxis.ticktext

  it('show where they differ', () => {
    const names = ['1', '2'].map((part) => `very_long_job_name_that_goes_on_${part}_with_suffix`)
    expect(ticks(names)).toEqual(['…_on_2_with_suffix', '…_on_1_with_suffix'])
  })

  it('have their numbers where that cannot be seen', () => {
    const far = (middle: string, end: string) =>
      `${'x'.repeat(40)}${middle}${'y'.repeat(40)}${end}${'z'.repeat(40)}`
    const names = [far('a', '1'), far('a', '2'), far('b', '1'), far('b', '2'), 'same', 'same']
    const shown = ticks(names) as string[]
    expect(new Set(shown).size).toBe(names.length)
    expect(shown).toEqual(expect.arrayContaining(['5: same', '6: same']))
  })
})

describe('the plot of a job with cards', () => {
  const curve = (...values: number[]) => ({
    times: Float64Array.from(values, (_, second) => 100 + second),
    values: Float64Array.from(values),
  })
  const withCards = (indices: readonly number[]): PlotJob => {
    const job = plotJob(1)
    const gpus = indices.map((index) => ({
      index,
      utilizationPercent: curve(10, 90, 50),
      memoryBytes: curve(2 ** 30, 2 ** 31, 2 ** 30),
    }))
    return { ...job, attempts: job.attempts.map((attempt) => ({ ...attempt, gpus })) }
  }

  it('has a strip for their work and one for their memory, with a line for each card', () => {
    const figure = jobFigure(withCards([0, 3]), 'Time')
    const without = jobFigure(plotJob(1), 'Time')
    expect(figure.legend.map(({ name }) => name)).toEqual([
      ...without.legend.map(({ name }) => name),
      'GPU 0',
      'GPU 3',
      'GPU 0 memory',
      'GPU 3 memory',
    ])
    const [first] = figure.data.filter(({ name }) => name === 'GPU 3')
    const [memory] = figure.data.filter(({ name }) => name === 'GPU 3 memory')
    expect(first?.y).toEqual([10, 90, 50])
    expect(memory?.y).toEqual([1, 2, 1])
    const titleOf = (trace: typeof first): string | undefined =>
      figure.layout[`yaxis${trace?.yaxis?.slice(1) ?? ''}`]?.title?.text
    expect([titleOf(first), titleOf(memory)]).toEqual(['GPU (%)', 'GPU memory (GB)'])
  })
})

describe('what is said above the plot of an attempt', () => {
  const factsWith = (memoryPeakBytes: number, cpuPercentPeak: number) => {
    const [attempt] = plotJob(1).attempts
    if (attempt === undefined) throw new Error('no attempt')
    const usage = {
      ...emptyUsage('nobody looked'),
      memoryPeakBytes: measured(memoryPeakBytes, 'cgroup'),
      cpuPercentPeak: measured(cpuPercentPeak, 'cgroup'),
    }
    return attemptFacts({ ...attempt, record: { durationSeconds: 9, usage } })
  }

  it('tells where its line is higher or lower than the record says', () => {
    expect(factsWith(2 ** 31, 12)).toEqual([
      'ran 9.00 s',
      'memory peak 2.00 GB (samples show up to 1.00 GB)',
      'CPU peak 12.0% (in shorter steps up to 19.0%)',
    ])
    expect(factsWith(2 ** 30, 19)).toEqual(['ran 9.00 s', 'memory peak 1.00 GB', 'CPU peak 19.0%'])
  })
})

describe('the clock under a plot', () => {
  it('shows the local time of the start, with its offset, or UTC', () => {
    const before = process.env['TZ']
    process.env['TZ'] = 'Asia/Kolkata'
    const job = plotJob(3)
    const local = plotClock([job], 'local')
    const utc = plotClock([job], 'utc')
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
    expect([local.title, utc.title]).toEqual(['Time (UTC+05:30)', 'Time (UTC)'])
    const drawn = (clock: typeof local) =>
      jobFigure(onClock(job, clock), clock.title) as unknown as {
        data: { x: number[] }[]
        layout: { shapes: { x0: number }[]; xaxis: { title: { text: string } } }
      }
    const ahead = 19_800_000
    expect(drawn(local).layout.xaxis.title.text).toBe('Time (UTC+05:30)')
    expect(drawn(local).data[0]?.x).toEqual(drawn(utc).data[0]?.x.map((time) => time + ahead))
    expect(drawn(local).layout.shapes.map(({ x0 }) => x0)).toEqual(
      drawn(utc).layout.shapes.map(({ x0 }) => x0 + ahead),
    )
  })
})

describe('jobFigure', () => {
  it('has a strip for what was recorded, each attempt by itself, and the requests', () => {
    const { data, layout } = jobFigure(plotJob(3), 'Time (UTC)')
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
    const near = jobFigure(plotJob(1, { requestedRuntimeSeconds: 60 }), 'Time (UTC)')
    expect(near.layout).toMatchObject({ shapes: [{ x0: 1_200_000 }, { x0: 1_260_000 }] })
    const far = jobFigure(plotJob(1, { requestedRuntimeSeconds: 86_400 }), 'Time (UTC)')
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
    const attempts = job.attempts.slice(0, 1).map((attempt) => ({
      ...attempt,
      phases: [{ startedAt: 1, endedAt: 9, kind: 'idle' as const }],
    }))
    const { data, layout } = jobFigure({ ...job, attempts }, 'Time (UTC)')
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
    const { data } = overviewFigure(jobs, 'cpuPercent', 'Time')
    expect(data.map((trace) => ('name' in trace ? trace.name : ''))).toEqual([
      'job 2, attempt 1',
      'job 2, attempt 2',
      'job 1, attempt 1',
      'job 1, attempt 2',
    ])
  })

  it('shows the highest of many, keeps the rest in the legend and the peak of all', () => {
    const jobs = Array.from({ length: 1000 }, (_, index) => plotJob(index + 1))
    const { data } = overviewFigure(jobs, 'memoryBytes', 'Time')
    expect(data).toHaveLength(2001)
    expect(data.filter((trace) => 'visible' in trace)).toHaveLength(1980)
    expect(data[0]).toMatchObject({ name: 'highest of all 2,000' })
    const [envelope] = data
    if (envelope === undefined || !('y' in envelope)) throw new Error('no envelope')
    expect(Math.max(...envelope.y.filter((value) => value !== null))).toBe(1000)
    // Between the two attempts of each job nothing was measured.
    expect(envelope.y).toContain(null)
    expect(envelope.y).not.toContain(0)
    const note = overviewNote(jobs, 'memoryBytes')
    expect(note).toContain('20 highest peaks of 2,000')
    expect(note).not.toContain('no sample')
    const brief = Array.from({ length: 12 }, () => jobWithMemory(Number.NaN))
    const jobsWithBrief = [...jobs, ...brief]
    expect(overviewNote(jobsWithBrief, 'memoryBytes')).toContain(
      'For 12 of 1,012 jobs there is no sample of memory.',
    )
    expect(overviewNote(jobsWithBrief, 'cpuPercent')).not.toContain('no sample')
  })

  it('says that lines through samples need not reach the recorded peaks', () => {
    const recorded = (jobId: number, cpuPercentPeak: number): PlotJob => {
      const job = plotJob(jobId)
      const usage = {
        ...emptyUsage('not looked at'),
        cpuPercentPeak: measured(cpuPercentPeak, 'looks'),
      }
      return {
        ...job,
        attempts: job.attempts
          .slice(-1)
          .map((one) => ({ ...one, record: { durationSeconds: 9, usage } })),
      }
    }
    expect(overviewNote([recorded(1, 19)], 'cpuPercent')).not.toContain('recorded')
    expect(overviewNote([recorded(1, 19), recorded(2, 12), plotJob(3)], 'cpuPercent')).toContain(
      'Lines are drawn through samples: for 1 of 3 jobs, the highest point of the line is not the recorded peak, which the summary shows.',
    )
    expect(overviewNote([recorded(1, 12)], 'cpuPercent')).toContain(
      'for 1 of 1 job, the highest point of the line is not',
    )
    // The summary shows the last attempt of a job only.
    const [first, last] = [recorded(1, 12).attempts, recorded(1, 19).attempts]
    const retried = { ...recorded(1, 19), attempts: [...first, ...last] }
    expect(overviewNote([retried], 'cpuPercent')).not.toContain('recorded')
    expect(overviewNote([{ ...retried, attempts: [...last, ...first] }], 'cpuPercent')).toContain(
      'for 1 of 1 job',
    )
  })

  it('takes no name for markup', () => {
    const { data } = overviewFigure(
      [plotJob(1, { name: '<a href="x">&%{y}' })],
      'cpuPercent',
      'Time',
    )
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

  it('tells what the record of the last attempt says, not what samples show', () => {
    const job = plotJob(1)
    const usage = {
      ...emptyUsage('nobody looked'),
      memoryPeakBytes: atLeast(1.5 * 2 ** 30, 'looks'),
      cpuPercentPeak: measured(84.06, 'cgroup'),
    }
    const record = { durationSeconds: 12, usage }
    const attempts = job.attempts.map((attempt) => ({ ...attempt, record }))
    const { data } = summaryFigure([{ ...job, attempts }])
    expect(data[0]).toMatchObject({ y: [1.5], text: ['at least 1.50 GB'] })
    expect(data[1]).toMatchObject({ y: [null], text: ['not measured: nobody looked'] })
    expect(data[3]).toMatchObject({ y: [84.06], text: ['84.1%'] })
  })

  it('says so where a file has nothing but samples', () => {
    expect(summaryFigure([plotJob(1)]).data[0]).toMatchObject({ text: ['1.00 GB (from samples)'] })
    expect(summaryNote([plotJob(1), plotJob(2)])).toContain('For 2 jobs the file has only samples')
  })

  it('leaves out what was not measured or asked for', () => {
    const job = plotJob(1, { requestedCpus: null, attempts: [] })
    expect(summaryFigure([job]).data[5]).toMatchObject({ y: [null] })
    expect(summaryFigure([job]).data[3]).toMatchObject({ y: [null] })
    expect(summaryNote([job])).toMatch(/^Wide bars/)
  })
})
