import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { poisson, running, usageOf } from '../../../test/golden/render/crafted-records.ts'
import { noiseSeries, sampledSeries, GB } from '../../../test/synthetic/series.ts'
import { compareRuns } from '../../analysis/compare/comparison.ts'
import { jobReport } from '../../analysis/job/job-report.ts'
import { scalingRuns } from '../../analysis/compare/scaling-runs.ts'
import { scaling } from '../../analysis/compare/scaling.ts'
import type { JobRecord } from '../../model/record.ts'
import { usageKeys, withMemoryLimit } from '../../model/usage.ts'
import { comparisonCsv } from './compare/csv.ts'
import { comparisonJson } from './compare/json.ts'
import { comparisonMarkdown } from './compare/markdown.ts'
import { metricRows } from './compare/rows.ts'
import { comparisonText } from './compare/text.ts'
import { flatCsv } from '../text/flat-csv.ts'
import { jobReportJson } from './job/json.ts'
import { jobReportMarkdown } from './job/markdown.ts'
import { efficiencyRows, endsRows, phaseRows } from './job/rows.ts'
import { jobReportText } from './job/text.ts'
import { markdownText } from '../text/markdown.ts'
import { scalingJson } from './scaling/json.ts'
import { scalingMarkdown } from './scaling/markdown.ts'
import { foldedShares, pointCells, scalingSentences, shareRows } from './scaling/rows.ts'
import { scalingText } from './scaling/text.ts'
import { plainStyle } from '../text/style.ts'

/** To the microsecond, as counters are. */
const figure = fc
  .double({ min: 0, max: 1e12, noNaN: true })
  .map((value) => Number(value.toFixed(6)))
const usage = fc
  .dictionary(fc.constantFrom(...usageKeys), figure)
  .map((figures) => usageOf(figures))
const optional = (arbitrary: fc.Arbitrary<number>) => fc.option(arbitrary, { nil: null })
const record: fc.Arbitrary<JobRecord> = fc
  .record({
    usage,
    durationSeconds: fc.double({ min: 0.001, max: 1e6, noNaN: true }),
    cpus: optional(fc.integer({ min: 1, max: 64 })),
    memoryBytes: optional(fc.integer({ min: 1, max: 2 ** 40 })),
    runtimeSeconds: optional(fc.integer({ min: 1, max: 1e6 })),
    name: fc.constantFrom('train', 'a|b', 'x_y*z'),
  })
  .map(({ usage: used, durationSeconds, name, ...asked }) => ({
    ...poisson,
    usage: used,
    durationSeconds,
    name,
    requirements: { ...asked, gpus: null },
  }))

/** Lines may be broken anywhere between words. */
const squeezed = (text: string): string => text.replaceAll(/\s+/g, ' ')

const absurd = /NaN|Infinity|undefined|null/

function figureLines(value: unknown, path: readonly string[]): string[] {
  if (typeof value === 'number') return [`${path.join('.')},${value}`]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => figureLines(inner, [...path, key]))
}

function everyFigureIn(json: object, csv: string): void {
  const lines = csv.split('\n')
  expect(lines).toEqual(expect.arrayContaining(figureLines(json, [])))
}

describe('a job report', () => {
  it('shows the same figures in every format', () => {
    fc.assert(
      fc.property(record, fc.nat(500), fc.boolean(), (one, seed, sampled) => {
        const rows = sampled ? noiseSeries(seed, 'gaussian') : []
        const report = jobReport(one, rows)
        const json = jobReportJson(report)
        const text = jobReportText(json, report.series, plainStyle)
        const markdown = jobReportMarkdown(json)
        everyFigureIn(json, flatCsv(json))
        const words = [...phaseRows(json), ...endsRows(json), ...efficiencyRows(json)].map(
          ([, said]) => said,
        )
        const sentences = [json.bound_by.sentence, json.memory.says]
        for (const said of [...words, ...sentences, ...json.advice.map(({ says }) => says)]) {
          expect(squeezed(text)).toContain(squeezed(said))
          expect(markdown).toContain(markdownText(said))
        }
        expect(text + markdown).not.toMatch(absurd)
        expect(json.advice.length).toBeLessThanOrEqual(3)
      }),
      { numRuns: 60 },
    )
  })

  it('tells a leak with its pace, its fit and its end', () => {
    const rows = sampledSeries({ seconds: 3600, intervalSeconds: 10 }, (seconds) => ({
      cpuCores: 1,
      memoryBytes: GB * (1 + seconds / 3600),
    }))
    const json = jobReportJson(jobReport({ ...poisson, durationSeconds: 3600 }, rows))
    // A made-up sample shows the middle of its ten seconds.
    expect(json.memory.says).toBe(
      'Leaks: grows steadily by 1.0 GB an hour (a straight line fits with R² 1.00, and it rises 100 % of the time); after 3h 0m 5s it would hold the 4.0 GB that it asked for.',
    )
  })

  it('tells that a leak ends at the limit of the job', () => {
    const rows = sampledSeries({ seconds: 3600, intervalSeconds: 10 }, (seconds) => ({
      cpuCores: 1,
      memoryBytes: GB * (1 + seconds / 3600),
    }))
    const limited = {
      ...poisson,
      durationSeconds: 3600,
      usage: withMemoryLimit(poisson.usage, 3 * GB),
    }
    const { memory } = jobReportJson(jobReport(limited, rows))
    expect(memory).toMatchObject({ limit: 'limit', limit_bytes: 3 * GB })
    expect(memory.says).toContain(
      '; after 2h 0m 5s it would hold the 3.0 GB that its limit allows.',
    )
  })

  it('goes by the totals where nothing was sampled, and says so', () => {
    const report = jobReport(running, [], 'it has no samples')
    const json = jobReportJson(report)
    expect(json).toMatchObject({ phases: [], start_up_seconds: null, memory: { trend: 'unknown' } })
    expect(json.unmeasured['start_up_seconds']).toBe('it has no samples')
    expect(jobReportText(json, report.series, plainStyle)).toContain(
      'No timeline: it has no samples',
    )
  })
})

describe('a comparison', () => {
  it('calls sums over jobs sums, and the figures of one job what they are', () => {
    const of = (workflowRun: string) =>
      ['a', 'b'].map((name) => ({ ...poisson, name, workflowRun }))
    const labels = (a: JobRecord[], b: JobRecord[]) => {
      const json = comparisonJson(compareRuns(a, b), { a: 'x', b: 'y' })
      return metricRows(json).map(([label]) => label)
    }
    expect(labels(of('1/1'), of('1/2'))).toEqual(
      expect.arrayContaining(['Job time, summed', 'Memory peaks, summed']),
    )
    expect(labels([poisson], [poisson])).toEqual(
      expect.arrayContaining(['Duration', 'Memory peak']),
    )
  })

  it('shows the same figures in every format', () => {
    const set = fc.array(record, { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(set, set, (a, b) => {
        const json = comparisonJson(compareRuns(a, b), { a: 'tag:v1', b: 'tag:v2' })
        const text = comparisonText(json, plainStyle)
        const markdown = comparisonMarkdown(json)
        const [, ...lines] = comparisonCsv(json).split('\n')
        json.metrics.forEach((metric, index) => {
          const cells = Object.values(metric) as (string | number | null)[]
          expect(lines[index]).toBe(cells.map((cell) => cell ?? '').join(','))
          for (const cell of metricRows(json)[index] ?? []) {
            expect(text).toContain(cell)
            expect(markdown).toContain(markdownText(cell))
          }
        })
        expect(text + markdown).not.toMatch(absurd)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a scaling report', () => {
  it('shows the same figures in every format', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 8 }), (records) => {
        const chosen = scalingRuns(records, undefined)
        const json = scalingJson(records, chosen, scaling(chosen.runs))
        const text = scalingText(json, plainStyle)
        const markdown = scalingMarkdown(json)
        everyFigureIn(json, flatCsv(json))
        const cells = [...shareRows(json.runs), ...json.points.map(pointCells)].flat()
        for (const said of [...cells, ...scalingSentences(json), ...foldedShares(json.runs)]) {
          expect(squeezed(text)).toContain(squeezed(said))
          expect(markdown).toContain(markdownText(said))
        }
        expect(text + markdown).not.toMatch(absurd)
      }),
      { numRuns: 60 },
    )
  })
})
