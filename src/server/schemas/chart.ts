import { z } from '@hono/zod-openapi'
import { figure, flag, whole } from './values.ts'

const chartUnit = z.enum([
  'core_percent',
  'percent',
  'bytes',
  'bytes_per_second',
  'count',
  'number',
  'watts',
])

const chartSeries = z.object({
  name: z.string(),
  label: z.string(),
  unit: chartUnit,
  values: z.array(figure),
  share_of: z.number().optional(),
  figures: z.object({
    lowest: figure,
    mean: figure,
    highest: figure,
    highest_at_seconds: figure,
  }),
  recorded_peak: z.number().optional(),
  recorded_peak_is_lower_bound: flag.optional(),
})

const chart = z.object({
  id: z.string(),
  title: z.string(),
  times: z.array(z.number()),
  series: z.array(chartSeries),
  lines: z.array(
    z.object({
      kind: z.enum(['request', 'limit']),
      label: z.string(),
      unit: chartUnit,
      value: z.number(),
    }),
  ),
})

/** The same as `JobChartData`. */
export const jobChart = z
  .object({
    task_id: z.string(),
    name: z.string(),
    started_at: z.number(),
    duration_seconds: figure,
    from_seconds: z.number(),
    to_seconds: z.number(),
    sample_count: whole,
    is_whole: flag,
    charts: z.array(chart),
    absent: z.array(z.object({ id: z.string(), title: z.string(), why: z.string() })),
    phases: z.array(
      z.object({
        from_seconds: z.number(),
        to_seconds: z.number(),
        label: z.string(),
        origin: z.enum(['marked', 'seen']),
      }),
    ),
    marks: z.array(z.object({ at_seconds: z.number(), label: z.string() })),
  })
  .openapi('JobChart', { description: 'a job over time, as its charts draw it' })
