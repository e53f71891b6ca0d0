import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sandbox } from '../program.ts'
import { flow, results } from './flow.ts'

const spec = (exitCode: number) => `
resource_monitor: { granularity: time_series, sample_interval_seconds: 0.05, generate_plots: true }
jobs:
  - { name: good, command: sleep 0.3 }
  - { name: bad, command: sleep 0.3; exit ${exitCode} }
`

/** What a page was drawn from. */
const dataOf = (path: string, id: string) =>
  JSON.parse(
    new RegExp(`id="${id}">(.*?)</script>`, 's').exec(readFileSync(path, 'utf8'))?.[1] ?? '',
  ) as unknown

describe('the pages of a workflow that was mended and resumed', () => {
  it('count and draw what ran before, and leave nothing beside the series', async () => {
    using box = sandbox()
    expect(await box.jobmeter(['run', flow(box, spec(1)), '--output-dir', 'out'])).toMatchObject({
      code: 1,
    })
    const resumed = ['run', flow(box, spec(0)), '--resume', '1', '--output-dir', 'out']
    expect(await box.jobmeter(resumed)).toMatchObject({ code: 0 })
    const made = await results(box, '--all-runs')
    expect(made.map(({ job_name: name, attempt }) => `${name} ${attempt}`).toSorted()).toEqual([
      'bad 1',
      'bad 2',
      'good 1',
    ])

    const report = dataOf(box.path('out/report.html'), 'report') as {
      tiles: { note: string }[]
      jobs: { name: string; attempts: number; bars: [number, number, string][] }[]
      timeline: { runs: unknown[] }
    }
    expect(report.tiles[0]?.note).toBe('3 attempts in total')
    expect(report.jobs.map(({ name, attempts }) => [name, attempts])).toEqual([
      ['good', 1],
      ['bad', 2],
    ])
    expect(report.jobs[1]?.bars.map(([, , status]) => status)).toEqual(['failed', 'success'])
    expect(report.timeline.runs).toHaveLength(2)

    const summary = dataOf(box.path('out/plots/resource_plot_summary.html'), 'page') as {
      figure: { data: { customdata: string[] }[] }
    }
    expect(summary.figure.data[0]?.customdata.toSorted()).toEqual(['bad', 'good'])
    const series = readdirSync(box.path('out/resource_utilization'))
    expect(series).toHaveLength(2)
    expect(series.filter((name) => !name.endsWith('.db'))).toEqual([])
  })
})
