import { z } from '@hono/zod-openapi'
import { reportResources } from '../../render/page/report-resources.ts'
import { jobChart } from './chart.ts'
import { figure, flag, textOrNull, texts, whole, wholeOrNull } from './values.ts'

const lineOrNull = z.array(z.number()).nullable()

const resourceUse = z.object({
  used: figure,
  text: z.string(),
  mean: textOrNull,
  meanUsed: figure,
  request: figure,
  requestText: textOrNull,
  share: figure,
})

const shape = z.object({
  seconds: z.number(),
  cpuPercent: lineOrNull,
  memoryBytes: lineOrNull,
})

const job = z.object({
  id: whole,
  name: z.string(),
  state: z.string(),
  group: textOrNull,
  waitsFor: whole,
  attempts: whole,
  exitCode: wholeOrNull,
  reason: textOrNull,
  warning: textOrNull,
  boundBy: textOrNull,
  readyAt: figure,
  bars: z.array(z.tuple([z.number(), z.number(), z.string()])),
  isCritical: flag,
  cpuSeconds: figure,
  processesPeak: textOrNull,
  use: z.record(z.enum(reportResources), resourceUse),
  shape: shape.nullable(),
})

const box = z.object({
  count: whole,
  low: z.number(),
  quarter: z.number(),
  median: z.number(),
  threeQuarters: z.number(),
  high: z.number(),
  outliers: z.array(z.number()),
})
const boxes = z.object({
  memory: box.optional(),
  cpu: box.optional(),
  runtime: box.optional(),
})

/** The same as `ReportData`, which the page of `jobmeter report` is drawn from: its keys are those of that page. */
export const report = z
  .object({
    kind: z.enum(['workflow', 'job']),
    title: z.string(),
    facts: z.array(z.tuple([z.string(), z.string()])),
    made: z.string(),
    states: z.record(z.string(), whole),
    tiles: z.array(
      z.object({
        label: z.string(),
        figure: z.string(),
        note: z.string(),
        mood: z.enum(['good', 'warn', 'bad', 'plain']),
      }),
    ),
    timeline: z.object({
      seconds: z.number(),
      runs: z.array(z.object({ runId: whole, at: z.number() })),
    }),
    jobs: z.array(job),
    groups: z.array(z.object({ group: z.string(), jobs: whole, raw: boxes, share: boxes })),
    violations: z.array(
      z.object({
        jobId: whole,
        name: z.string(),
        resource: z.string(),
        specified: z.string(),
        used: z.string(),
        over: z.string(),
        overPercent: z.number(),
      }),
    ),
    failures: z.array(
      z.object({
        jobId: whole,
        name: z.string(),
        status: z.string(),
        cause: z.string(),
        evidence: z.string(),
      }),
    ),
    recommendations: z.array(
      z.object({
        requirement: z.string(),
        resource: z.string(),
        now: z.string(),
        suggested: z.string(),
        reason: z.string(),
        confidence: z.string(),
      }),
    ),
    measured: z.array(
      z.object({
        group: z.string(),
        label: z.string(),
        ways: z.array(z.object({ text: z.string(), isMeasured: flag, count: whole })),
      }),
    ),
    marks: z.array(texts),
    charts: jobChart.nullable(),
  })
  .openapi('Report', { description: 'what the page of a report is drawn from' })
